import { access, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { shellWord } from "../shared/shell-words.ts";

const KIT = fileURLToPath(new URL("../../../connectors/kit", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../../examples/plug-in", import.meta.url));
const FILES = ["package.json", "tsconfig.json", "src", "test"];
const RENAMED = ["package.json", "src/index.ts", "src/callback.ts", "test/contract.test.ts"];
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Writes a package with a plug-in that builds and passes its tests: a copy of the example under a name of its own. */
export async function newPlugin(_ctx: ClientContext, folder: string): Promise<Outcome> {
  const path = resolve(folder);
  const name = basename(path).replace(/^corprail-/, "");
  if (!NAME.test(name))
    return failed(`The folder's name becomes the plug-in's: ${JSON.stringify(name)} must be small letters, digits or -.`);
  const found = await readdir(path).catch(() => []);
  if (found.length > 0) return failed(`${path} is not empty. Name a folder that is empty or does not exist.`);
  await mkdir(path, { recursive: true });
  for (const file of FILES) await cp(join(EXAMPLE, file), join(path, file), { recursive: true });
  for (const file of RENAMED) await rename(join(path, file), name);
  await writeFile(join(path, "README.md"), readme(name));
  await writeFile(join(path, ".gitignore"), "node_modules/\ndist/\n");
  const next = ["Next:", `  cd ${shellWord(path)}`, `  ${await installCommand()}`, "  npm test", "docs/plug-ins.md explains its files."];
  return { ...done(`The plug-in ${name} is in ${path}.`, { plugin: name, folder: path }), next };
}

/** A checkout has its own package @corprail/connector; an archive has not, and npm fetches it from the registry. */
async function installCommand(): Promise<string> {
  const isCheckout = await access(join(KIT, "package.json")).then(
    () => true,
    () => false,
  );
  return isCheckout ? `npm install ${shellWord(KIT)}` : "npm install";
}

async function rename(file: string, name: string): Promise<void> {
  const text = await readFile(file, "utf8");
  // In the code Paywell is also the beginning of words.
  const inCode = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  await writeFile(
    file,
    text
      .replace("import paywell from", `import ${inCode} from`)
      .replaceAll("openForTest(paywell,", `openForTest(${inCode},`)
      .replaceAll("paywell", name)
      .replaceAll("Paywell", name),
  );
}

function readme(name: string): string {
  return `# ${name}, a Corprail plug-in

- \`src/index.ts\`: the plug-in, with the transaction \`recharge.pay\` and the query \`balance\`
- \`src/session.ts\`: the login token
- \`src/callback.ts\`: signed callbacks
- \`test/contract.test.ts\`: the contract kit, run against a test provider with every faulty behaviour of the kit

\`\`\`
npm install
npm test
\`\`\`

Replace the requests and the reading of answers by those of your provider, and the words in the test by its answers. To use the
plug-in, build it, name its folder in \`CORPRAIL_CONNECTORS\`, and save a provider with \`corprail provider save\`:

\`\`\`json
{ "name": "${name}", "connector": "plugin", "plugin": "${name}", "settings": { "base_url": "https://api.example.com" } }
\`\`\`
`;
}
