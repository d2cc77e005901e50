declare module "virtual:emoji-table" {
  /** One line for each emoji: the emoji, then its aliases, separated by spaces. */
  const lines: string;
  export default lines;
}
