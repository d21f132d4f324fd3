/** One result of `doctor`: the subject, the finding and the advice. */
export type Finding = {
  readonly level: "ok" | "warn" | "fail";
  readonly about: string;
  readonly found: string;
  readonly advice?: string;
};

export const ok = (about: string, found: string): Finding => ({ level: "ok", about, found });
export const warn = (about: string, found: string, advice: string): Finding => ({ level: "warn", about, found, advice });
export const fail = (about: string, found: string, advice: string): Finding => ({ level: "fail", about, found, advice });
