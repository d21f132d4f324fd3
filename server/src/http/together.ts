/**
 * Takes what comes in one turn of the event loop, and does it at the end of the turn, all together. The same work for many
 * requests, one right after the other, finds its code in the processor's caches; for each by itself, between reading and
 * writing sockets, it costs up to three times as much. With more than `mostNow` says the rest waits for the next
 * turn, so that nothing else has to wait for all of them.
 */
export function together<Item>(run: (items: readonly Item[]) => void, mostNow?: () => number): (item: Item) => void {
  let waiting: Item[] = [];
  const runAll = () => {
    const most = mostNow?.() ?? waiting.length;
    const items = waiting.length > most ? waiting.slice(0, most) : waiting;
    waiting = waiting.length > most ? waiting.slice(most) : [];
    if (waiting.length > 0) setImmediate(runAll);
    run(items);
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(runAll);
  };
}
