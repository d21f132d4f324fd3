// `npm start`: builds what is missing or older than its source, then runs the service in this very process.
import cluster from "node:cluster";
import { buildStep } from "./build-step.mjs";
import { buildSites, staleSites } from "./build-web.mjs";
import { compile, isCompiled } from "./compile.mjs";

// Only once, if CORPRAIL_PROCESSES asks for several processes.
if (cluster.isPrimary)
  await buildWhatIsMissing().catch((error) => {
    say(error.message);
    process.exit(1);
  });

const { main } = await import("../server/dist/main.js");
await main();

async function buildWhatIsMissing() {
  const sites = staleSites();
  const steps = [
    ...(isCompiled() ? [] : [{ title: "Compile the service, the command line and the SDK", work: compile }]),
    ...(sites.length === 0 ? [] : [{ title: `Build the pages of the ${sites.join(" and the ")}`, work: () => buildSites(sites) }]),
  ];
  if (steps.length === 0) return;
  const from = performance.now();
  say("Building what is missing or older than its sources. The first time this takes about half a minute.");
  for (const [index, { title, work }] of steps.entries()) await buildStep(`[${index + 1}/${steps.length}] ${title}`, work);
  say(`Built in ${((performance.now() - from) / 1000).toFixed(1)} s. Starting the service.`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
