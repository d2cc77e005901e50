import { encodePng, type Colour } from "./png";

const WIDTH = 480;
const HEIGHT = 270;
/** Dark and light teal, as red, green, blue. */
const DEEP = [14, 62, 70] as const;
const BRIGHT = [122, 205, 200] as const;
/** The centre of the sound waves and the distance between them, in pixels. */
const SOURCE = { x: 96, y: HEIGHT / 2 };
const WAVE_LENGTH = 42;

/** Colour of a pixel: a gradient from left to right with waves that fade on their way. */
function colourAt(x: number, y: number): Colour {
  const distance = Math.hypot(x - SOURCE.x, y - SOURCE.y);
  const crest = Math.max(0, Math.cos((distance / WAVE_LENGTH) * 2 * Math.PI)) ** 6;
  const light = Math.min(1, 0.55 * (x / WIDTH) + crest * Math.max(0, 1 - distance / WIDTH) * 0.8);
  const channel = (at: 0 | 1 | 2): number => DEEP[at] + (BRIGHT[at] - DEEP[at]) * light;
  return [channel(0), channel(1), channel(2)];
}

/** A picture of waves going out from a point, as a PNG (W3C, Portable Network Graphics). */
export function drawWelcomePicture(): Buffer {
  return encodePng(WIDTH, HEIGHT, colourAt);
}
