import { useState } from "react";

/** Rows that the user has chosen with the boxes of a table. */
export type Selection = {
  readonly keys: ReadonlySet<string>;
  readonly set: (keys: readonly string[], isOn: boolean) => void;
  readonly clear: () => void;
};

export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    keys,
    set: (changed, isOn) =>
      setKeys((before) => new Set(isOn ? [...before, ...changed] : [...before].filter((key) => !changed.includes(key)))),
    clear: () => setKeys(new Set()),
  };
}
