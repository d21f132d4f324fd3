import { describe, expect, test } from "vitest";
import { cpuMilliseconds } from "../../../../testing/cpu-time.ts";
import { readPid, refusePid } from "./pid.ts";

const OURS = "MFS100-0001";

test.each([
  `<PidData><Resp errCode="0"/></PidData>`,
  `<?xml version="1.0" encoding="UTF-8"?>\n<PidData>\n<Resp errCode='0' errInfo=""></Resp></PidData>\n`,
  `\ufeff<Resp errCode = "0"/>`,
  `<PidData errCode="0">x</PidData>`,
  `<!-- made by a device --><Resp errCode="0" />`,
])("XML whose errCode is 0 is a PID block: %s", (text) => {
  expect(readPid(text)).toEqual({ kind: "pid", serial: null });
});

test.each([
  "errCode=0",
  `errCode="0"`,
  `{"errCode":"0"}`,
  "<PidData/>",
  `<PidData errCode="0"`,
  `<Resp errCode=""/>`,
  `<Resp errCode="00"/>`,
  `<Resp errCode="730"/>`,
  `<PidData><Resp errCode="0"/><Resp errCode="730"/></PidData>`,
  `<Resp myErrCode="0"/>`,
  `<Resp errCode=0/>`,
  `<P><Resp errCode="0"/><Resp errInfo="a > b" errCode="730"/></P>`,
  `<P><!-- <Resp errCode="0"/> --></P>`,
  `<P><![CDATA[<Resp errCode="0"/>]]></P>`,
  `<P><Resp errCode="0"></P>`,
  `<!DOCTYPE P [<!ENTITY ok "0">]><P><Resp errCode="0"/></P>`,
  "   ",
])("anything else is not, and its text is not repeated: %s", (text) => {
  const said = readPid(text);
  expect(said).toMatchObject({ kind: "refused", error: "invalid_pid" });
  if (text.trim().length > 4) expect(JSON.stringify(said)).not.toContain(text);
});

describe("the device that a PID block names", () => {
  test.each([
    ["none", `<Resp errCode="0"/>`],
    ["ours, as devices write it", `<P><Resp errCode="0"/><additional_info><Param name="srno" value="${OURS}"/></additional_info></P>`],
    ["ours, the attributes turned round", `<P><Resp errCode="0"/><Param value="${OURS}" name="SRNO"/></P>`],
    ["ours, beside the device", `<P><Resp errCode="0"/><DeviceInfo mi="MFS100" srno=" ${OURS} "/></P>`],
    ["another parameter", `<P><Resp errCode="0"/><Param name="sysid" value="other"/></P>`],
  ])("is no obstacle: %s", (_, text) => {
    expect(refusePid(text, OURS)).toBeNull();
  });

  test.each([
    `<P><Resp errCode="0"/><Param name="srno" value="OTHER-1"/></P>`,
    `<P><Resp errCode="0"/><DeviceInfo srno="OTHER-1"/></P>`,
    `<P><Resp errCode="0"/><DeviceInfo serial='OTHER-1'/></P>`,
    `<P><Resp errCode="0"/><DeviceInfo mi=">" srno="OTHER-1"/></P>`,
    `<P><Resp errCode="0"/><DeviceInfo srno="&#79;THER-1"/></P>`,
  ])("must be the registered one: %s", (text) => {
    expect(refusePid(text, OURS)).toMatchObject({ error: "device_not_registered" });
    expect(JSON.stringify(refusePid(text, OURS))).not.toContain("OTHER-1");
  });
});

test.each([
  ["one long name", `<Resp ${"a".repeat(190_000)} errCode="0"/>`],
  ["nothing but spaces", `<Resp ${" ".repeat(190_000)} errCode="0"/>`],
  ["tags that never end", `${"<a ".repeat(60_000)}>`],
  ["names without values", `<Resp ${"a ".repeat(90_000)}>`],
  ["quotes that never end", `<Resp ${` a="'`.repeat(40_000)}>`],
  ["elements", `<P errCode="0">${"<a/>".repeat(49_000)}</P>`],
  ["equals signs", `<Resp ${" a =".repeat(45_000)}>`],
])("a block of the greatest length is read at once: %s", (_, text) => {
  expect(cpuMilliseconds(() => readPid(text))).toBeLessThan(5_000);
});

test.each([
  ["elements", (count: number) => `<P errCode="0">${"<a/>".repeat(count - 2)}</P>`],
  ["attributes", (count: number) => `<P errCode="0" ${Array.from({ length: count - 2 }, (_, n) => `a${n}="1"`).join(" ")}/>`],
])("a block has at most 2,000 elements and attributes, so that reading it holds up nobody: %s", (_, block) => {
  expect(readPid(block(2_000))).toMatchObject({ kind: "pid" });
  expect(readPid(block(2_001))).toMatchObject({ kind: "refused", error: "invalid_pid" });
});
