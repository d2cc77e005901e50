import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Files that are worth compressing; pictures are compressed already. */
const WORTH_IT = /\.(?:js|css)$/;

/**
 * Writes a `.br` and a `.gz` beside each script and style sheet in a build's `assets`, for servers that can send such
 * files. Other files keep their names, and whoever hosts the app may edit them. Both kinds are needed: browsers accept
 * brotli only over https and from localhost, gzip from everywhere.
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
