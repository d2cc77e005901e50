declare module "virtual:scopes" {
  /** The style scope of each component that the first frame draws like, by the component's name. */
  export const scopes: Readonly<
    Record<
      | "App"
      | "FeedPage"
      | "FeedHeader"
      | "Feed"
      | "VirtualList"
      | "DayLine"
      | "MessageRow"
      | "RowMark"
      | "PriorityMark"
      | "Time"
      | "Body"
      | "PlainBody"
      | "TextButton"
      | "TopicSquare"
      | "Icon",
      string
    >
  >;
}
