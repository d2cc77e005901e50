/** Which component has a scope, so that two never share one. @type {Map<string, string>} */
const scopes = new Map();

// Read by the build, svelte-check and eslint alike.
export default {
  compilerOptions: {
    runes: true,
    discloseVersion: false,
    /**
     * Svelte's own scopes are twice as long; they stand in every selector and every element of a template.
     * @param {{ hash: (text: string) => string, css: string, filename: string }} style
     */
    cssHash({ hash, css, filename }) {
      const scope = `s${hash(filename === "(unknown)" ? css : filename).slice(0, 4)}`;
      const other = scopes.get(scope) ?? filename;
      if (other !== filename) throw new Error(`${other} and ${filename} would share the style scope ${scope}.`);
      scopes.set(scope, filename);
      return scope;
    },
  },
};
