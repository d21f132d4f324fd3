import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { cpuMilliseconds } from "../../../testing/cpu-time.ts";
import { maskBody, maskForm } from "./mask-body.ts";
import { secretMask } from "./mask-secrets.ts";

const rules = { secrets: secretMask(["s3cret-token"]), readable: ["123456789012345", "9990001112"] };
const mask = (text: string) => maskBody(text, rules);

test.each([
  ["a PAN", `{"id_proof":"ABCDE1234F"}`, `{"id_proof":"[PAN hidden]"}`],
  ["an Aadhaar number", `{"identity":"234567890123"}`, `{"identity":"…0123"}`],
  ["an Aadhaar number in groups", "ok 2345 6789 0123", "ok …0123"],
  ["a card number", "4111-1111-1111-1111|ok", "…1111|ok"],
  ["a bank account", `{"account_number":"9876543210"}`, `{"account_number":"…3210"}`],
  ["a bank account by itself", `{"to":50100012345678}`, `{"to":"…5678"}`],
  ["a key in a list of parameters", `[{"name":"OTP","value":"4711"}]`, `[{"name":"OTP","value":"[hidden]"}]`],
  ["everything in a hidden object", `{"auth":{"user":"me","list":[1,"x"]}}`, `{"auth":{"user":"[hidden]","list":["[hidden]","[hidden]"]}}`],
  ["a one-time password in words", "Use OTP 482913 now", "Use OTP [hidden] now"],
  ["a one-time password before the words", "482913 is your OTP for login", "[hidden] is your OTP for login"],
  ["an XML element", "<r><otp>4711</otp><Msg>fine</Msg></r>", "<r><otp>[hidden]</otp><Msg>fine</Msg></r>"],
  ["an XML attribute", `<r pan="ABCDE1234F" n="1"/>`, `<r pan="[hidden]" n="1"/>`],
  ["character data", "<r><pin><![CDATA[4711]]></pin></r>", "<r><pin>[hidden]</pin></r>"],
  ["a form", "user=me&password=pa%20ss&acc_no=123456789", "user=me&password=[hidden]&acc_no=…6789"],
  ["JSON in a form", `data=${encodeURIComponent('{"otp":"1"}')}`, `data={"otp":"[hidden]"}`],
  ["JSON in JSON", JSON.stringify({ data: '{"mpin":"12"}' }), JSON.stringify({ data: '{"mpin":"[hidden]"}' })],
  ["a name and a value in plain text", "status: ok, password: abc", "status: ok, password: [hidden]"],
  ["a provider's secret", "x s3cret-token y", "x [hidden] y"],
  ["JSON that was cut off", `{"otp":"47`, `{"otp":"[hidden]"`],
  ["JSON that was cut off after a backslash", `{"otp":"47\\`, `{"otp":"[hidden]"`],
  ["JSON with too many closing brackets", `{"a":1}]}{"otp":"47"}`, `{"a":1}]}{"otp":"[hidden]"}`],
])("%s is masked", (_, text, masked) => {
  expect(mask(text)).toBe(masked);
});

test.each([
  ["a mobile number", `{"number":"9876543210","mobile":"+919876543210"}`],
  ["our reference and amount", `{"ref":"123456789012345","account_no":"9990001112"}`],
  ["a bank's reference", `{"rrn":"632112345678","utr":"632112345678901"}`],
  ["times and amounts", `{"timestamp":1790000000000,"amount":1000000000}`],
  ["its form", `{ "a" : [1, 2.50, true, null],\n "b": "\\u00e9\\/" }`],
  ["a passenger", `{"passengers":[{"name":"A B","pincode":"400001"}]}`],
  ["plain text", "SUCCESS|123456789012345|199.00|done"],
])("%s stays readable", (_, text) => {
  expect(mask(text)).toBe(text);
});

test("PID blocks are hidden in whatever they are wrapped, and base64 is shortened", () => {
  const pid = '<PidData><Resp errCode="0"/><Skey ci="2">abcd</Skey><Data type="X">MjAxNg==</Data></PidData>';
  for (const text of [pid, JSON.stringify({ biometrics: pid, x: pid }), `x=${encodeURIComponent(pid)}`, `say ${pid} end`])
    expect(mask(text)).not.toMatch(/MjAxNg|abcd/);
  const blob = Buffer.alloc(300, 7).toString("base64");
  expect(mask(`{"file":"${blob}"}`)).toBe(`{"file":"${blob.slice(0, 16)}…[400 characters]"}`);
  expect(mask(`a=${encodeURIComponent(blob)}`).length).toBeLessThan(60);
});

test("a reference stays readable only where it stands alone", () => {
  expect(mask("to 99123456789012345 ok")).toBe("to …2345 ok");
});

test("what cannot be decoded is masked as it is", () => {
  expect(maskForm("a=%E9%ZZ&otp=%E9&b", rules)).toBe("a=%E9%ZZ&otp=[hidden]&b");
});

test("masking a large text takes little time, whatever it consists of", () => {
  const milliseconds = cpuMilliseconds(() => {
    for (const piece of ['"', "\\", "<a ", "<pid ", "{", "1 ", "a=", "otp ", "%25", "&lt;pid", "A", "4111-"])
      mask(`{${piece.repeat(60_000 / piece.length)}`);
    for (const piece of ["<pid>", "<", "a=b&", "x: y ", "\\\\"]) mask(piece.repeat(60_000 / piece.length));
  });
  expect(milliseconds).toBeLessThan(10_000);
});

test.each([
  ["an XML name without an end", `<${"a".repeat(60_000)}`],
  ["an attribute's name without a value", `<a ${"b".repeat(60_000)}>`],
  ["end tags without their start", "<a>".repeat(10_000) + "</b>".repeat(8_000)],
  ["a field's name that repeats a word", `{"${"bank".repeat(15_000)}":"1"}`],
])("masking %s takes linear time", (_, text) => {
  expect(cpuMilliseconds(() => mask(text))).toBeLessThan(1000);
});

test("an identity right beside a secret is masked as well", () => {
  expect(maskForm("msg=s3cret-tokenABCDE1234F", rules)).toBe("msg=[hidden][PAN hidden]");
  const plain = { ...rules, secrets: secretMask(["K3Y00000"]) };
  expect(maskForm("msg=K3Y00000ABCDE1234F", plain)).toBe("msg=[hidden][PAN hidden]");
});

test("a private key is masked however it is written, and masking with it takes little time", () => {
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const start = performance.now();
  const hide = secretMask([pem, "s3cret-token"]);
  for (let time = 0; time < 5; time++) expect(hide("GET /pay?ref=1 s3cret-token")).toBe("GET /pay?ref=1 [hidden]");
  expect(performance.now() - start).toBeLessThan(2000);
  const lines = pem.split("\n").filter((line) => line.length === 64);
  const written = [pem, pem.replaceAll("\n", "\\n"), JSON.stringify({ pem }), encodeURIComponent(pem), lines[7] ?? ""];
  for (const text of written) {
    const masked = hide(`say ${text} end`);
    for (const line of lines) expect(masked).not.toContain(line.slice(0, 20));
  }
  const bytes = Buffer.from(pem);
  for (const text of [bytes.toString("base64"), bytes.toString("hex"), bytes.toString("hex").toUpperCase()])
    expect(hide(text).replaceAll(/\[hidden\]/g, "").length).toBeLessThan(text.length / 6);
});
