import { useEffect, useRef, useState } from "react";

const PAUSE_MILLISECONDS = 400;

/** The value after a pause in typing. Values are compared by their JSON text. */
export function usePaused<Value>(value: Value, pauseMilliseconds = PAUSE_MILLISECONDS): Value {
  const text = JSON.stringify(value);
  const latest = useRef(value);
  latest.current = value;
  const [paused, setPaused] = useState({ text, value });
  useEffect(() => {
    const timer = setTimeout(() => setPaused({ text, value: latest.current }), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [text, pauseMilliseconds]);
  return paused.value;
}
