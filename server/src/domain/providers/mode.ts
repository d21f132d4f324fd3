/** Contract, section 9a: in trial the simulator may serve every account, in live only sandbox accounts. */
export type Mode = "trial" | "live";

/** CORPRAIL_MODE, or what NODE_ENV implies; null when neither says anything. */
export type ModeSetting = Mode | null;

/** How portal, console, doctor, banner and log name the mode. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = { trial: "trial: no real money moves", live: "live" };

/** What the mode follows from. */
export type ModeFacts = {
  readonly setting: ModeSetting;
  /** Why the database says live; null when it does not. */
  readonly stored: LiveCause | null;
  /** Whether a route that is switched on leads to a real provider. */
  readonly hasRealRoute: boolean;
};

export type LiveCause = "route" | "setting";

export function modeOf({ setting, stored, hasRealRoute }: ModeFacts): Mode {
  return setting === "live" || stored !== null || hasRealRoute ? "live" : "trial";
}

/** What somebody has to know who set one mode and got the other; null when they got what they set. */
export function modeConflict({ setting, stored, hasRealRoute }: ModeFacts): string | null {
  if (setting !== "trial" || (stored === null && !hasRealRoute)) return null;
  return stored === "setting" && !hasRealRoute
    ? "CORPRAIL_MODE is trial, but another process of this installation runs as live: stop it, then start again."
    : "CORPRAIL_MODE is trial, but the installation went live when a route to a real provider was saved, and stays live.";
}
