/** What the command has to know of a web client; everything else is found on its screen. */
export interface Client {
  /** As it stands above its column. */
  title: string;
  /** Address of a topic's link; `url` is where the client is, without a slash at the end. */
  link(url: string, topic: string): string;
  /** Names of the buttons that are pressed, one after the other, to subscribe on the page behind that link. */
  presses: readonly string[];
}

/** The clients that can be compared. Another one is one more entry. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  earshot: {
    title: "Earshot",
    link: (url, topic) => `${url}/#/${topic}`,
    presses: ["Subscribe"],
  },
  "ntfy-web": {
    title: "ntfy's web app",
    link: (url, topic) => `${url}/${topic}`,
    presses: [],
  },
};
