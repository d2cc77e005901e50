/** Around the pages of the help, and where questions arise. */
export const help = {
  contents: "Pages of the help",
  /** Says that the pages are in English; empty where they are in this language. */
  language: "",
  pages: {
    "first-steps": "First steps",
    filters: "Searching and filtering",
    keyboard: "Keyboard",
    phones: "Phones and installing",
    troubleshooting: "If something is wrong",
  },
  links: {
    "first-steps": "How Earshot works",
    filters: "How filters work",
    keyboard: "More about the keyboard",
    phones: "Notifications on phones",
    troubleshooting: "If something is wrong",
  },
};
