// What is installed for production, by the lock file alone. npm's own --omit=dev leaves out every package that a
// development dependency needs too, such as fastify and zod.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const LOCK = new URL("../package-lock.json", import.meta.url);

/** The packages of the lock file as it is now. A folder is a key of the lock file, such as `node_modules/zod` or `server`. */
export function readLock() {
  const lock = JSON.parse(readFileSync(LOCK, "utf8")).packages;
  // The lock file leaves a name out where the folder says it.
  const referenceOf = (folder) => `${lock[folder].name ?? nameOf(folder)}@${lock[folder].version}`;
  return {
    entry: (folder) => lock[folder],
    /** "name@version" of a folder. */
    referenceOf,
    /** The folder of the package to which a file of the checkout belongs. */
    packageOf: (file) => longest(Object.keys(lock).filter((folder) => file.startsWith(`${folder}/`))),
    /** Every package that these folders need in production, with themselves: "name@version" to its folder. */
    production: (folders) => {
      const found = new Map();
      const add = (folder) => {
        if (found.get(referenceOf(folder)) === folder) return;
        found.set(referenceOf(folder), folder);
        for (const name of neededBy(lock[folder])) {
          const place = placeOf(lock, folder, name);
          if (place !== null) add(place);
        }
      };
      for (const folder of folders) add(folder);
      return found;
    },
  };
}

function neededBy({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Where Node.js finds a package, seen from a folder; null for a peer or an optional package that is not installed. */
function placeOf(lock, folder, name) {
  for (let at = folder; ; at = parentOf(at)) {
    const place = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock[place] !== undefined) return lock[place].link ? lock[place].resolved : place;
    if (at === "") return null;
  }
}

function parentOf(folder) {
  const end = folder.lastIndexOf("/node_modules/");
  return end >= 0 ? folder.slice(0, end) : "";
}

function nameOf(folder) {
  const end = folder.lastIndexOf("node_modules/");
  return end >= 0 ? folder.slice(end + "node_modules/".length) : basename(folder);
}

function longest(texts) {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}
