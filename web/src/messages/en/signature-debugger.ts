import { messages } from "../catalogue.ts";

export const signatureDebuggerText = messages("signature-debugger", {
  query: "Query",
  bodySha256: "Body SHA-256",
  timestamp: "Timestamp",
  nonce: "Nonce",
  comparison: "Comparison",
  line: "Line {number}: {name}",
  differsFromCharacter: "differs from character {at}",
  computedByTheService: "Computed by the service",
  signedByYou: "Signed by you",
  empty: "empty",
  signatureDebugger: "Signature debugger",
  forARefusedSignatureShows:
    "For a refused signature, shows the six lines the service computed and which of them differ from what you signed.",
  sixLinesOfTheString: "Six lines of the string to sign",
  callsWithARefusedSignature: "Calls with a refused signature will appear here. There are none yet.",
  refusedCall: "Refused call",
  call: "Call",
  chooseARefusedCall: "Choose a refused call",
  theSixLinesOfThis:
    "The six lines of this call are not stored. Either it was not refused because of its signature, or many calls have been refused since.",
  sixLines: "Six lines",
  logYourStringToSign: "Log your string to sign and paste it here unchanged. Do not paste secrets.",
  yourSixLines: "Your six lines",
  compare: "Compare",
  lineByLine: "Line by line",
  method: "Method",
  path: "Path",
  matches: "matches",
});
