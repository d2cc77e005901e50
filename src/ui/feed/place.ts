/** Where a list stood: the item at the upper edge of the screen, and how far below that edge it began, px. */
export interface Place {
  key: string;
  offset: number;
}
