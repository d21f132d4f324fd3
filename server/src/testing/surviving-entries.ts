// Entries come and go, sixty at a time.
import { randomBytes, randomUUID } from "node:crypto";
import { createShortLivedMap } from "../platform/core/short-lived.ts";
import { printSurvivors } from "./young-objects.ts";

const map = createShortLivedMap<object>();
const present: string[] = [];

await printSurvivors(200, () => {
  for (let more = 0; more < 100; more++) {
    const key = randomUUID();
    map.set(key, { text: randomBytes(200).toString("hex") });
    present.push(key);
    if (present.length > 60) map.delete(present.shift() as string);
  }
});
