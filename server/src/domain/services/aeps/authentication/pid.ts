import { parseXml, type XmlElement } from "../../../../platform/core/xml.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";

/** The readable header of a PID block. Its encrypted content is for the provider only. */
export type Pid = {
  readonly kind: "pid";
  /** The serial number of the capturing device, if the block contains it. */
  readonly serial: string | null;
};

// Far more than any device writes. A block of many short elements costs twenty times as much to parse as one long text.
const MAX_NODES = 2_000;

const SERIAL_NAMES: ReadonlySet<string> = new Set(["srno", "serial", "serial_no"]);

/** An element's attributes by their names in lower case, because devices write them differently. */
type Attributes = ReadonlyMap<string, string>;

/** Reads a block as registered devices write it: XML whose `errCode` says that the capture succeeded. */
export function readPid(text: string): Pid | Refusal {
  const root = parseXml(text, MAX_NODES);
  const elements = root === null ? [] : attributesOf(root);
  const codes = elements.flatMap((attributes) => attributes.get("errcode") ?? []);
  if (codes.length === 0) {
    return refused("invalid_pid", "pid must be the XML of a registered device, with an errCode and at most 2,000 elements and attributes.");
  }
  if (codes.some((code) => code.trim() !== "0")) {
    return refused("invalid_pid", "The device could not read the fingerprint: errCode in pid is not 0. Capture it again.");
  }
  return { kind: "pid", serial: elements.map(serialOf).find((serial) => serial !== null) ?? null };
}

/** Written as `<DeviceInfo srno="…">`, or as `<Param name="srno" value="…"/>` by current devices. */
function serialOf(attributes: Attributes): string | null {
  if (SERIAL_NAMES.has((attributes.get("name") ?? "").toLowerCase())) return attributes.get("value") ?? null;
  for (const name of SERIAL_NAMES) {
    const value = attributes.get(name);
    if (value !== undefined) return value;
  }
  return null;
}

/** The attributes of an element and of everything in it, in the order of the text. */
function attributesOf({ attributes, children }: XmlElement): readonly Attributes[] {
  const own = new Map(Array.from(attributes, ([name, value]) => [name.toLowerCase(), value]));
  return [own, ...children.flatMap(attributesOf)];
}

/** Checks a block against the outlet's registered device; null when it is accepted. */
export function refusePid(text: string, deviceSerial: string): Refusal | null {
  const pid = readPid(text);
  if (pid.kind === "refused") return pid;
  if (pid.serial === null || pid.serial.trim() === deviceSerial) return null;
  return refused("device_not_registered", "The fingerprint was captured by a device that is not registered for the outlet.");
}
