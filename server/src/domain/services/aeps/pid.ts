import { type Refusal, refused } from "../../shared/refusals.ts";

/** What a PID block says of itself; what is inside it is for the provider. */
export type Pid = {
  readonly kind: "pid";
  /** The device that read the finger, when the block names it. */
  readonly serial: string | null;
};

// Neither pattern looks at a character more than a few times, however long the block is.
const TAG = /<([A-Za-z_][\w.:-]*)((?:\s[^<>]*)?)>/g;
const ATTRIBUTE = /\s([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const BEGINS_AS_XML = /^<[?!A-Za-z_]/;
const SERIAL_NAMES: ReadonlySet<string> = new Set(["srno", "serial", "serial_no"]);

type Tag = ReadonlyMap<string, string>;

/** A block as registered devices write it: XML whose `errCode` says that the finger was read. */
export function readPid(text: string): Pid | Refusal {
  const trimmed = text.trim();
  const tags = BEGINS_AS_XML.test(trimmed) && trimmed.endsWith(">") ? tagsOf(trimmed) : [];
  const codes = tags.flatMap((tag) => tag.get("errcode") ?? []);
  if (codes.length === 0) return refused("invalid_pid", "pid is not the XML of a registered device, with an errCode.");
  if (codes.some((code) => code.trim() !== "0")) {
    return refused("invalid_pid", "The device did not read the finger: errCode in pid is not 0. Capture it again.");
  }
  return { kind: "pid", serial: tags.map(serialOf).find((serial) => serial !== null) ?? null };
}

/** As `<DeviceInfo srno="…">`, or as `<Param name="srno" value="…"/>`, which is how devices write it today. */
function serialOf(tag: Tag): string | null {
  if (SERIAL_NAMES.has((tag.get("name") ?? "").toLowerCase())) return tag.get("value") ?? null;
  for (const name of SERIAL_NAMES) {
    const value = tag.get(name);
    if (value !== undefined) return value;
  }
  return null;
}

function tagsOf(text: string): readonly Tag[] {
  return Array.from(text.matchAll(TAG), ([, , attributes = ""]) => {
    const pairs = Array.from(attributes.matchAll(ATTRIBUTE), ([, name = "", double, single]) => {
      return [name.toLowerCase(), double ?? single ?? ""] as const;
    });
    return new Map(pairs);
  });
}

/** What speaks against a block at an outlet with this device; null when nothing does. */
export function refusePid(text: string, deviceSerial: string): Refusal | null {
  const pid = readPid(text);
  if (pid.kind === "refused") return pid;
  if (pid.serial === null || pid.serial.trim() === deviceSerial) return null;
  return refused("device_not_registered", "The finger was read by a device that is not the outlet's registered one.");
}
