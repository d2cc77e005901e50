// Read by the build, svelte-check and eslint alike.
export default { compilerOptions: { runes: true } };
