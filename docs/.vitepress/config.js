import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

// VitePress treats links to files with these extensions as links to files, not to pages.
process.env.VITE_EXTRA_EXTENSIONS = "py,php,java,go,sh,mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

// Pages link to code and vectors outside docs/, so the root of the site is the root of the repository.
const OUTSIDE = [
  "README.md",
  "server/!(schema)/**",
  "server/schema/*/**",
  "cli/**",
  "bench/**",
  "e2e/**",
  "scripts/**",
  "data/**",
  "web/**",
  "vendor/**",
  "sdk/!(README.md)",
  "sdk/*/**",
];

// Pages outside docs/ would not find Vue in docs/node_modules, so the server-side build imports it from here.
const VUE_FROM_HERE = {
  name: "vue-from-here",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) => (ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : null),
};

// The theme can fetch icons of social links from another server. The site has none, so the address is removed.
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
    text: "For the platform",
    items: [
      page("Self-hosting", "/docs/guide/self-hosting"),
      page("Containers and Kubernetes", "/docs/guide/containers"),
      page("Going live", "/docs/guide/going-live"),
      page("Operating", "/docs/operating"),
      page("Command line", "/docs/cli"),
      page("Console", "/docs/guide/console"),
      page("Onboarding", "/docs/guide/onboarding"),
      page("Everyday work and its clicks", "/docs/guide/everyday-work"),
      page("Status page", "/docs/guide/status-page"),
      page("Overview and alerts", "/docs/guide/overview-and-alerts"),
      page("Transactions and ledger", "/docs/guide/transactions-and-ledger"),
      page("Operators, services, providers, routes", "/docs/guide/providers-and-switches"),
      page("Connecting a provider", "/docs/providers"),
      page("Proving a provider", "/docs/proving-a-provider"),
      page("One-time passwords at providers", "/docs/providers/otp"),
      page("Eko", "/docs/providers/eko"),
      page("PaySprint", "/docs/providers/paysprint"),
      page("Cashfree Payouts", "/docs/providers/cashfree"),
      page("Reloadly", "/docs/providers/reloadly"),
      page("Setu BillPay", "/docs/providers/setu"),
      page("Plain recharge API with JSON", "/docs/providers/plain-json"),
      page("Plain recharge API with text answers", "/docs/providers/plain-text"),
      page("Plain recharge API with XML answers", "/docs/providers/plain-xml"),
      page("SeatSeller", "/docs/providers/seatseller"),
      page("Plug-ins", "/docs/plug-ins"),
      page("Example of a plug-in", "/examples/plug-in/README"),
      page("Evidence", "/docs/guide/evidence"),
      page("For auditors", "/docs/guide/auditors"),
      page("Configuration as code", "/docs/guide/configuration-as-code"),
      page("Fees and commissions", "/docs/pricing"),
      page("Reconciliation", "/docs/guide/reconciliation"),
      page("Callback delivery", "/docs/callbacks"),
      page("Scaling", "/docs/scaling"),
      page("High availability", "/docs/high-availability"),
      page("Performance", "/docs/performance"),
      page("Performance record", "/docs/performance-record"),
      page("Runbooks", "/docs/runbooks/README"),
    ],
  },
  {
    text: "Reference and design",
    items: [
      page("Glossary", "/docs/glossary"),
      page("Gaps and decisions of the API", "/docs/gaps"),
      page("Stability", "/docs/stability"),
      page("Architecture", "/ARCHITECTURE"),
      page("Design decisions", "/docs/decisions/README"),
      page("Adding a service", "/docs/adding-a-service"),
      page("Simulation", "/docs/simulation"),
      page("Database schema", "/docs/schema"),
      page("Contributing", "/CONTRIBUTING"),
      page("Security", "/SECURITY"),
      page("Change log", "/CHANGELOG"),
    ],
  },
];

/** Copies the files that pages link to and that are not pages. A missing file fails the build. */
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
    nav: [page("Guide", "/docs/guide/"), page("Runbooks", "/docs/runbooks/README"), page("Glossary", "/docs/glossary")],
    outline: [2, 3],
  },
  buildEnd: async (site) => {
    await copyLinkedFiles(site);
    const away = '<!doctype html><meta charset="utf-8"><title>Corprail</title><meta http-equiv="refresh" content="0; url=docs/guide/">';
    await writeFile(join(site.outDir, "index.html"), `${away}<a href="docs/guide/">Guide</a>\n`);
  },
});
