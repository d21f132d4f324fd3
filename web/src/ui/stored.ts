import { useCallback, useState } from "react";

/** A value that this browser keeps. Anything unreadable counts as nothing stored. */
export function useStored<Value>(key: string, read: (stored: unknown) => Value): readonly [Value, (value: Value) => void] {
  const [kept, setKept] = useState(() => ({ key, value: read(readStored(key)) }));
  // Another page has another key.
  const value = kept.key === key ? kept.value : read(readStored(key));
  const store = useCallback(
    (next: Value) => {
      localStorage.setItem(key, JSON.stringify(next));
      setKept({ key, value: next });
    },
    [key],
  );
  return [value, store];
}

function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
