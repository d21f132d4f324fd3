import { messages } from "../catalogue.ts";

export const replayText = messages("replay", {
  replayCallbacks: "Replay callbacks",
  sendsCallbacksAgain:
    "Sends the callbacks of an order or of a window of time again, also delivered ones. The next step shows how many there are.",
  orderIdOptional: "Order id (optional)",
  createdSince: "Created since (India time)",
  createdBefore: "Created before (optional)",
  delivery: "Delivery",
  deliveredOrNot: "Delivered or not",
  delivered: "Delivered",
  waitingOrFailing: "Waiting or failing",
  countCallbacks: "Count callbacks",
  callbacksWillBeSentAgain: {
    one: "{count} callback will be sent again.",
    other: "{count} callbacks will be sent again.",
  },
  nothingToSend: "No callback can be sent again. Choose another order or another time.",
  leftOut: "{count} left out: {reason}",
  moreMatch: "More callbacks match than one replay takes. The newest are sent; choose a shorter time for the others.",
  sendAgain: "Send again",
});
