/** Limits the number of concurrent operations per key. */
export type KeyedLimit = {
  /** False if no slot became free in time. */
  readonly enter: (key: string, milliseconds: number) => Promise<boolean>;
  readonly leave: (key: string) => void;
};

type Line = { underWay: number; readonly waiting: ((isIn: boolean) => void)[] };

export function createKeyedLimit(most: number): KeyedLimit {
  const lines = new Map<string, Line>();

  function wait(line: Line, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (isIn: boolean) => {
        clearTimeout(timer);
        resolve(isIn);
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(enter), 1);
        resolve(false);
      }, milliseconds);
      line.waiting.push(enter);
    });
  }

  return {
    enter: async (key, milliseconds) => {
      const line = lines.get(key) ?? { underWay: 0, waiting: [] };
      lines.set(key, line);
      if (line.underWay >= most) return await wait(line, milliseconds);
      line.underWay++;
      return true;
    },
    leave: (key) => {
      const line = lines.get(key);
      if (!line) return;
      // The next waiter takes over the slot.
      const next = line.waiting.shift();
      if (next) next(true);
      else if (--line.underWay === 0) lines.delete(key);
    },
  };
}
