import { crc32, deflateSync } from "node:zlib";

const WIDTH = 480;
const HEIGHT = 270;
/** Dark and light teal, as red, green, blue. */
const DEEP = [14, 62, 70] as const;
const BRIGHT = [122, 205, 200] as const;
/** The centre of the sound waves and the distance between them, in pixels. */
const SOURCE = { x: 96, y: HEIGHT / 2 };
const WAVE_LENGTH = 42;

/** Colour of a pixel: a gradient from left to right with waves that fade on their way. */
function colourAt(x: number, y: number): number[] {
  const distance = Math.hypot(x - SOURCE.x, y - SOURCE.y);
  const crest = Math.max(0, Math.cos((distance / WAVE_LENGTH) * 2 * Math.PI)) ** 6;
  const light = Math.min(1, 0.55 * (x / WIDTH) + crest * Math.max(0, 1 - distance / WIDTH) * 0.8);
  return DEEP.map((deep, at) => Math.round(deep + ((BRIGHT[at] ?? deep) - deep) * light));
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A picture of waves going out from a point, as a PNG (W3C, Portable Network Graphics). */
export function drawWelcomePicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits a channel; red, green and blue without alpha.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array.from({ length: WIDTH }, (__, x) => colourAt(x, y)).flat(),
  ]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
