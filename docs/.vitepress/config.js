import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

// Links to such files are links to files, not to pages.
process.env.VITE_EXTRA_EXTENSIONS = "py,php,java,go,sh";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

// Pages link to code and vectors beside docs/, so the site begins at the repository's root.
const OUTSIDE = [
  "README.md",
  "server/**",
  "cli/**",
  "bench/**",
  "e2e/**",
  "scripts/**",
  "data/**",
  "web/**",
  "sdk/!(README.md)",
  "sdk/*/**",
];

// Pages outside docs/ would look for it in a node_modules of their own. What is rendered at the build runs from this folder.
const VUE_FROM_HERE = {
  name: "vue-from-here",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) => (ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : null),
};

// The theme would fetch icons of social links from elsewhere. There are none, and no such address is left in the site.
const NO_OUTSIDE_ICONS = {
  name: "no-outside-icons",
  transform: (code) => (code.includes("https://api.iconify.design") ? code.replaceAll("https://api.iconify.design", "") : null),
};

const page = (text, link) => ({ text, link });

const SIDEBAR = [
  {
    text: "For clients",
    items: [
      page("Quick start", "/docs/guide/quick-start"),
      page("A first program", "/docs/guide/first-program"),
      page("Signing", "/docs/guide/signing"),
      page("Callbacks", "/docs/guide/callbacks"),
      page("Receivers", "/examples/receivers/README"),
      page("Errors", "/docs/guide/errors"),
      page("Polling", "/docs/guide/polling"),
      page("Services", "/docs/guide/services"),
      page("Bills", "/docs/guide/bills"),
      page("Transfers", "/docs/guide/transfers"),
      page("Bus", "/docs/guide/bus"),
      page("AEPS", "/docs/guide/aeps"),
      page("Portal", "/docs/guide/portal"),
      page("Sandbox", "/docs/guide/sandbox"),
      page("Simulator", "/docs/simulator"),
      page("Going live", "/docs/guide/going-live"),
      page("SDK", "/sdk/README"),
      page("Test vectors", "/contract/vectors/README"),
    ],
  },
  {
    text: "For operators",
    items: [
      page("Self-hosting", "/docs/guide/self-hosting"),
      page("Console", "/docs/guide/console"),
      page("Overview and alerts", "/docs/guide/overview-and-alerts"),
      page("Transactions and ledger", "/docs/guide/transactions-and-ledger"),
      page("Providers and switches", "/docs/guide/providers-and-switches"),
      page("Fees and commissions", "/docs/pricing"),
      page("Operating", "/docs/operating"),
      page("Reconciliation", "/docs/guide/reconciliation"),
      page("Callbacks, inside", "/docs/callbacks"),
      page("The command", "/docs/cli"),
      page("Providers", "/docs/providers"),
      page("Fees and commissions", "/docs/pricing"),
      page("Overview and alerts", "/docs/guide/overview-and-alerts"),
      page("Scaling", "/docs/scaling"),
      page("Performance", "/docs/performance"),
      page("Runbooks", "/docs/runbooks/README"),
    ],
  },
  {
    text: "Choices",
    items: [
      page("Gaps decided", "/docs/gaps"),
      page("Architecture", "/ARCHITECTURE"),
      page("Decisions", "/docs/decisions/README"),
      page("Adding a service", "/docs/adding-a-service"),
      page("Contributing", "/CONTRIBUTING"),
      page("Change log", "/CHANGELOG"),
    ],
  },
];

/** Files that pages link to and that are not pages themselves go into the site as they are; a missing one ends the build. */
async function copyLinkedFiles({ pages, outDir }) {
  const missing = [];
  for (const name of pages) {
    const text = (await readFile(join(ROOT, name), "utf8")).replaceAll(/^```[\s\S]*?^```$/gm, "");
    for (const [, link] of text.matchAll(/\]\(([^)#\s]+)/g)) {
      if (/^[a-z]+:|\.md$|\.html$/.test(link)) continue;
      const file = resolve(ROOT, dirname(name), link);
      const target = join(outDir, file.slice(ROOT.length));
      await mkdir(dirname(target), { recursive: true });
      await copyFile(file, target).catch(() => missing.push(`${link} in ${name}`));
    }
  }
  if (missing.length > 0) throw new Error(`Links to files that do not exist: ${missing.join(", ")}`);
}

export default defineConfig({
  lang: "en",
  title: "Corprail",
  description: "A self-hosted corporate recharge and payments service",
  srcDir: "..",
  outDir: ".vitepress/dist",
  srcExclude: OUTSIDE,
  lastUpdated: false,
  vite: { plugins: [VUE_FROM_HERE, NO_OUTSIDE_ICONS] },
  themeConfig: {
    search: { provider: "local" },
    sidebar: SIDEBAR,
    nav: [page("Guide", "/docs/guide/"), page("Runbooks", "/docs/runbooks/README"), page("Gaps decided", "/docs/gaps")],
    outline: [2, 3],
  },
  buildEnd: async (site) => {
    await copyLinkedFiles(site);
    const away = '<!doctype html><meta charset="utf-8"><title>Corprail</title><meta http-equiv="refresh" content="0; url=docs/guide/">';
    await writeFile(join(site.outDir, "index.html"), `${away}<a href="docs/guide/">Guide</a>\n`);
  },
});
