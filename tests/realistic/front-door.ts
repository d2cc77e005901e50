import { crc32, deflateSync } from "node:zlib";

/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A picture as a PNG (W3C, Portable Network Graphics); `colourAt` is asked for each pixel. */
function encodePng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel; red, green and blue without alpha.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (__, x) => colourAt(x, y).map(Math.round)).flat(),
  ]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const WIDTH = 640;
const HEIGHT = 360;

function mix(from: Colour, to: Colour, share: number): Colour {
  const at = (channel: 0 | 1 | 2): number => from[channel] + (to[channel] - from[channel]) * share;
  return [at(0), at(1), at(2)];
}

const isWithin = (x: number, y: number, left: number, top: number, width: number, height: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;

/**
 * What a camera beside a front door sees: a street under the sky, and a parcel on the step, if there is one.
 * @param light from 0 for the night to 1 for the day
 */
export function drawFrontDoor(light: number, hasParcel: boolean): Buffer {
  const inLight = (day: Colour, night: Colour): Colour => mix(night, day, light);
  const colours = {
    sky: inLight([150, 196, 228], [18, 24, 46]),
    horizon: inLight([232, 226, 208], [60, 52, 72]),
    houses: inLight([176, 142, 120], [42, 38, 50]),
    windows: inLight([96, 112, 128], [240, 204, 120]),
    street: inLight([128, 130, 132], [34, 36, 42]),
    step: inLight([186, 178, 166], [62, 60, 64]),
    parcel: inLight([184, 134, 78], [104, 76, 50]),
    tape: inLight([222, 190, 140], [140, 112, 78]),
  };
  return encodePng(WIDTH, HEIGHT, (x, y) => {
    if (hasParcel && isWithin(x, y, 250, 236, 150, 90)) return x > 316 && x < 334 ? colours.tape : colours.parcel;
    if (y > 280) return colours.step;
    if (y > 220) return mix(colours.street, colours.step, (y - 220) / 120);
    const house = Math.floor(x / 128);
    if (y > 90 + ((house * 37) % 50)) {
      return isWithin(x % 128, y, 24, 150, 24, 34) || isWithin(x % 128, y, 76, 150, 24, 34)
        ? colours.windows
        : mix(colours.houses, colours.street, (house % 3) * 0.2);
    }
    return mix(colours.sky, colours.horizon, y / 140);
  });
}
