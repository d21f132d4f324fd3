import { type Component, type ComponentState, overallState } from "../../../domain/status/component.ts";
import { type EventState, hasOpenIncident, isEnded } from "../../../domain/status/event.ts";
import type { StatusSnapshot } from "../../../domain/status/snapshot.ts";
import type { DayRow, StatusEvent } from "../../../domain/status/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";

/** The page's inline styles. The content security policy allows them by their digest. */
export const STATUS_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0c1014); --surface: light-dark(#ffffff, #141a20); --line: light-dark(#e1e5ea, #27303a);
  --ink: light-dark(#131a22, #e9edf1); --soft: light-dark(#4b5663, #aab4bf); --accent: light-dark(#0b6b74, #57cdd6);
  --good: light-dark(#1a6b3c, #6fd39a); --wait: light-dark(#8a5200, #f0b95b); --bad: light-dark(#a5271e, #ff8f86);
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--ink);
  font: 0.9375rem/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 48rem; margin: 0 auto; }
h1 { margin: 0; font-size: 1.5rem; } h2 { margin: 2rem 0 0.75rem; font-size: 1.0625rem; } h3 { margin: 0; font-size: 1rem; }
p { margin: 0.375rem 0 0; } a { color: var(--accent); }
.soft { color: var(--soft); } .up { color: var(--good); } .degraded { color: var(--wait); } .down { color: var(--bad); }
.card, .list { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); padding: 1rem 1.25rem; }
.card + .card { margin-top: 0.75rem; }
.list { list-style: none; margin: 0; padding: 0; } .list li { padding: 0.75rem 1.25rem; border-top: 1px solid var(--line); }
.list li:first-child { border-top: 0; }
.row { display: flex; justify-content: space-between; gap: 1rem; } .row b { min-width: 0; overflow-wrap: anywhere; }
.bars { display: flex; gap: 1px; height: 1.25rem; margin-top: 0.5rem; }
.bars i { flex: 1; background: var(--line); border-radius: 1px; }
.bars .u { background: var(--good); } .bars .g { background: var(--wait); } .bars .x { background: var(--bad); }
.updates { margin: 0.5rem 0 0; padding-left: 1.25rem; } .updates li { margin-top: 0.375rem; white-space: pre-line; }
`;

const HEADLINES = { up: "All systems are working", degraded: "Some systems have problems", down: "Systems are down" } as const;
const STATE_NAMES: Readonly<Record<ComponentState, string>> = {
  up: "Working",
  degraded: "Degraded",
  down: "Down",
  closed: "Closed for the night",
  off: "Switched off",
};
const EVENT_NAMES: Readonly<Record<EventState, string>> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
  planned: "Planned",
  in_progress: "In progress",
  done: "Done",
  cancelled: "Cancelled",
};
const SHOWN_DAYS = 90;
const DAY_MILLISECONDS = 86_400_000;

export function statusHtml(snapshot: StatusSnapshot): string {
  const { components, events, at } = snapshot;
  const overall = overallState(components, hasOpenIncident(events));
  const open = events.filter((event) => !isEnded(event.state));
  const past = events.filter((event) => isEnded(event.state));
  const ofGroup = (group: Component["group"]) => components.filter((one) => one.group === group).map((one) => componentItem(one, snapshot));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="60">
<title>Status: ${HEADLINES[overall]}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="application/atom+xml" title="Status" href="/status.atom">
<style>${STATUS_STYLE}</style>
</head>
<body>
<main>
<h1 class="${overall}">${HEADLINES[overall]}</h1>
<p class="soft">Measured at ${indiaDateTime(at)} India time. The page renews itself every minute.</p>
${section("Now and planned", open, components)}
<h2>Services</h2>
<ul class="list">${ofGroup("services").join("\n")}</ul>
<h2>Operators</h2>
<ul class="list">${ofGroup("operators").join("\n")}</ul>
${section("The last 90 days", past, components)}
<h2>Subscribe</h2>
<p>Read the <a href="/status.atom">Atom feed</a> or <a href="/status.json">status.json</a>. The status page sends no email.</p>
</main>
</body>
</html>
`;
}

function section(title: string, events: readonly StatusEvent[], components: readonly Component[]): string {
  if (events.length === 0) return title === "Now and planned" ? "" : `<h2>${title}</h2><p class="soft">No incident.</p>`;
  return `<h2>${title}</h2>\n${events.map((event) => eventCard(event, components)).join("\n")}`;
}

function eventCard(event: StatusEvent, components: readonly Component[]): string {
  const names = event.components.map((one) => components.find(({ component }) => component === one)?.name ?? one);
  const time = (at: Date) => indiaDateTime(at.getTime());
  const when = event.ends_at === null ? `since ${time(event.starts_at)}` : `${time(event.starts_at)} to ${time(event.ends_at)}`;
  const updates = event.updates.map((one) => `<li><b>${EVENT_NAMES[one.state]}</b>, ${time(one.at)}: ${escaped(one.text)}</li>`);
  return `<article class="card"><h3>${escaped(event.title)}</h3>
<p class="soft">${event.kind === "incident" ? "Incident" : "Maintenance"}, ${when}. ${escaped(names.join(", "))}.</p>
<ul class="updates">${updates.join("")}</ul></article>`;
}

function componentItem({ component, name, state }: Component, { days, at }: StatusSnapshot): string {
  const own = new Map(days.filter((day) => day.component === component).map((day) => [day.day, day]));
  const dates = Array.from({ length: SHOWN_DAYS }, (_, place) =>
    indiaDateTime(at - (SHOWN_DAYS - 1 - place) * DAY_MILLISECONDS).slice(0, 10),
  );
  const bars = dates.map((date) => `<i${barClass(own.get(date))}></i>`).join("");
  return `<li><div class="row"><b>${escaped(name)}</b><span class="${state}">${STATE_NAMES[state]}</span></div>
<div class="bars" role="img" aria-label="${escaped(historyText([...own.values()]))}">${bars}</div></li>`;
}

function barClass(day: DayRow | undefined): string {
  if (day === undefined) return "";
  return day.down > 0 ? ' class="x"' : day.degraded > 0 ? ' class="g"' : ' class="u"';
}

function historyText(days: readonly DayRow[]): string {
  const samples = days.reduce((sum, day) => sum + day.samples, 0);
  if (samples === 0) return "Not measured yet";
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return `Available in ${(((samples - down) / samples) * 100).toFixed(2)} % of the measurements of the last ${SHOWN_DAYS} days`;
}

/** One entry for each update of the last 90 days. */
export function atomFeed({ events, at }: StatusSnapshot, publicUrl: string | null): string {
  const page = `${publicUrl ?? ""}/status`;
  const updates = events.flatMap((event) => event.updates.map((update) => ({ event, update })));
  const entries = updates
    .toSorted((one, other) => other.update.at.getTime() - one.update.at.getTime())
    .map(
      ({ event, update }) =>
        `<entry><id>urn:corprail:status:${update.update_id}</id><title>${escaped(event.title)}: ${
          EVENT_NAMES[update.state]
        }</title><updated>${update.at.toISOString()}</updated><link href="${escaped(page)}"/><content>${escaped(update.text)}</content></entry>`,
    );
  const updated = updates.reduce((latest, { update }) => Math.max(latest, update.at.getTime()), 0) || at;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:corprail:status</id><title>Status</title><author><name>Status</name></author>
<updated>${new Date(updated).toISOString()}</updated><link href="${escaped(page)}"/>
${entries.join("\n")}
</feed>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
