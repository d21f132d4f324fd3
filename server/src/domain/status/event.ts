export const EVENT_KINDS = ["incident", "maintenance"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
export const EVENT_STATES = [
  ...(["investigating", "identified", "monitoring", "resolved"] as const),
  ...(["planned", "in_progress", "done", "cancelled"] as const),
] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** The states that each kind can have. */
const STATES: Readonly<Record<EventKind, readonly EventState[]>> = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["planned", "in_progress", "done", "cancelled"],
};

const ENDED: readonly EventState[] = ["resolved", "done", "cancelled"];

export function isEnded(state: EventState): boolean {
  return ENDED.includes(state);
}

/** An open event can take any state of its kind; an ended one none. */
export function mayBecome(kind: EventKind, from: EventState, to: EventState): boolean {
  return !isEnded(from) && STATES[kind].includes(to);
}

export function firstState(kind: EventKind): EventState {
  return kind === "incident" ? "investigating" : "planned";
}

export function hasOpenIncident(events: readonly { readonly kind: EventKind; readonly state: EventState }[]): boolean {
  return events.some(({ kind, state }) => kind === "incident" && !isEnded(state));
}
