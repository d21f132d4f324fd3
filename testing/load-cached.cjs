// Copied beside the bundled programs: loads one of them with the machine code that V8 has kept of it.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const vm = require("node:vm");

function compile(name) {
  const filename = join(__dirname, `${name}.cjs`);
  const cache = join(__dirname, `${name}.cache`);
  // The bundler writes ASCII.
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, "latin1")}\n})`;
  const script = new vm.Script(source, {
    filename,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, __dirname);
  return { script, cache, exports: module.exports };
}

exports.load = (name) => compile(name).exports;

/** After the modules have run once, so that the functions which they call at the start are in it too. */
exports.writeCache = (name) => {
  const { script, cache } = compile(name);
  writeFileSync(cache, script.createCachedData());
};
