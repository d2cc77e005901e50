import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** What is worth it; pictures are compressed as they are. */
const WORTH_IT = /\.(?:js|css)$/;

/**
 * Writes a `.br` and a `.gz` beside each script and style of a build's `assets`, for servers that send such files. Only
 * there, as their names change with what is in them; what else a build holds may be edited by whoever hosts it. Both kinds:
 * browsers take brotli over https and from the machine itself, gzip from everywhere.
 */
export async function compressAssets(folder: string): Promise<void> {
  const assets = join(folder, "assets");
  const names = (await readdir(assets)).filter((name) => WORTH_IT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(assets, name);
      const content = await readFile(path);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
    }),
  );
}
