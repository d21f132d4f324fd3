import { messages } from "../catalogue.ts";

export const apiAccessText = messages("api-access", {
  apiAccess: "API access",
  theURLsWhereYourServers: "The URLs where your servers receive callbacks about transactions and complaints.",
  version: "Version {version}",
  switchToVersion3: "Switch to version 3",
  theCallbackURLsWereSaved: "The callback URLs were saved.",
  callbackURLs: "Callback URLs",
  publicHttpsAddressesAfterA:
    "Public https addresses. After a change, callbacks that are still waiting are sent to the new URL immediately.",
  callbackUrl: "Callback URL",
  receivesFinalStatesOfTransactions: "Receives final states of transactions. Without a URL, no status callbacks are created.",
  complaintCallbackUrl: "Complaint callback URL",
  receivesOutcomesOfComplaintsOptional: "Receives outcomes of complaints. Optional.",
  save: "Save",
  testComplaintCallback: "Test complaint callback",
  sendsOneCallbackWithTest: "Sends one callback with test=1 in the signed message and TEST- references. No money is refunded.",
  sendTestComplaintCallback: "Send test complaint callback",
  setAComplaintCallbackUrl: "Set a complaint callback URL first. Your receiver's response will appear here after you send a test.",
  sendATestToSee: "Send a test to see your receiver's response here.",
  noResponse: "No response",
  none: "None",
  requestSent: "Request sent",
  result: "Result",
  httpStatus: "HTTP status",
  error: "Error",
  callbackVersion: "Callback version",
});
