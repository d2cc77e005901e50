/** Icons of the first rows, as paths: 24 box, stroke 1.7, round caps. All strokes of an icon are in one path. */
export const firstIcons = {
  star: "M12 4l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z",
} as const;
