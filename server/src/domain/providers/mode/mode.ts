/** Contract, section 9a: in trial mode the simulator may serve every account, in live mode only sandbox accounts. */
export type Mode = "trial" | "live";

/** CORPRAIL_MODE, or the mode that NODE_ENV implies; null without either. */
export type ModeSetting = Mode | null;

/** The name of the mode in portal, console, doctor, banner and log. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = { trial: "trial: no real money moves", live: "live" };

/** The inputs that determine the mode. */
export type ModeFacts = {
  readonly setting: ModeSetting;
  /** Why the database says live; null when it does not. */
  readonly stored: LiveCause | null;
  /** Whether an enabled route leads to a real provider. */
  readonly hasRealRoute: boolean;
};

export type LiveCause = "route" | "setting";

export function modeOf({ setting, stored, hasRealRoute }: ModeFacts): Mode {
  return setting === "live" || stored !== null || hasRealRoute ? "live" : "trial";
}

/** Explains why the mode differs from CORPRAIL_MODE; null when it does not. */
export function modeConflict({ setting, stored, hasRealRoute }: ModeFacts): string | null {
  if (setting !== "trial" || (stored === null && !hasRealRoute)) return null;
  return stored === "setting" && !hasRealRoute
    ? "CORPRAIL_MODE is trial, but another process of this installation runs as live: stop it, then start again."
    : "CORPRAIL_MODE is trial, but the installation went live when a route to a real provider was saved, and stays live.";
}
