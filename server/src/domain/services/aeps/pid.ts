import { type Refusal, refused } from "../../shared/refusals.ts";

/** The readable header of a PID block. Its encrypted content is for the provider only. */
export type Pid = {
  readonly kind: "pid";
  /** The serial number of the capturing device, if the block contains it. */
  readonly serial: string | null;
};

// Both patterns run in linear time, however long the block is.
const TAG = /<([A-Za-z_][\w.:-]*)((?:\s[^<>]*)?)>/g;
const ATTRIBUTE = /\s([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const BEGINS_AS_XML = /^<[?!A-Za-z_]/;
const SERIAL_NAMES: ReadonlySet<string> = new Set(["srno", "serial", "serial_no"]);

type Tag = ReadonlyMap<string, string>;

/** Reads a block as registered devices write it: XML whose `errCode` says that the capture succeeded. */
export function readPid(text: string): Pid | Refusal {
  const trimmed = text.trim();
  const tags = BEGINS_AS_XML.test(trimmed) && trimmed.endsWith(">") ? tagsOf(trimmed) : [];
  const codes = tags.flatMap((tag) => tag.get("errcode") ?? []);
  if (codes.length === 0) return refused("invalid_pid", "pid must be the XML of a registered device and contain an errCode.");
  if (codes.some((code) => code.trim() !== "0")) {
    return refused("invalid_pid", "The device could not read the fingerprint: errCode in pid is not 0. Capture it again.");
  }
  return { kind: "pid", serial: tags.map(serialOf).find((serial) => serial !== null) ?? null };
}

/** Written as `<DeviceInfo srno="…">`, or as `<Param name="srno" value="…"/>` by current devices. */
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

/** Checks a block refusal the outlet's registered device; null when it is accepted. */
export function refusePid(text: string, deviceSerial: string): Refusal | null {
  const pid = readPid(text);
  if (pid.kind === "refused") return pid;
  if (pid.serial === null || pid.serial.trim() === deviceSerial) return null;
  return refused("device_not_registered", "The fingerprint was captured by a device that is not registered for the outlet.");
}
