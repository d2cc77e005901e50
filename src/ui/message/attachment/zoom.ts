/** An image's place on its stage: enlarged by `scale`, its middle offset from the stage's, px. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

/** Width and height, px. */
export interface Size {
  width: number;
  height: number;
}

/** A point, px from the middle of the stage. */
export interface Point {
  x: number;
  y: number;
}

/** Never larger than the stage. */
export const FITTING: Zoom = { scale: 1, x: 0, y: 0 };

/** Beyond this, the pixels of a photograph become squares. */
const MOST = 8;

/** One step of a key, a button or a double press. */
export const ZOOM_STEP = 1.5;

function limited(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** Keeps an image on the stage: centred where it is smaller, with no edge inside where it is larger. */
function kept({ scale, x, y }: Zoom, image: Size, stage: Size): Zoom {
  const room = (of: keyof Size) => Math.max(0, (image[of] * scale - stage[of]) / 2);
  return { scale, x: limited(x, room("width")), y: limited(y, room("height")) };
}

/** Zooms by a factor, keeping a point fixed. @param image its size at scale 1 */
export function zoomBy(zoom: Zoom, factor: number, at: Point, image: Size, stage: Size): Zoom {
  const scale = Math.min(Math.max(zoom.scale * factor, 1), MOST);
  const grown = scale / zoom.scale;
  return kept({ scale, x: at.x - (at.x - zoom.x) * grown, y: at.y - (at.y - zoom.y) * grown }, image, stage);
}

export function moveBy(zoom: Zoom, by: Point, image: Size, stage: Size): Zoom {
  return kept({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, image, stage);
}
