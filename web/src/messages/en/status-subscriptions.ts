import { messages } from "../catalogue.ts";

export const statusSubscriptionsText = messages("status-subscriptions", {
  notifications: "Notifications",
  hint: "You are sent every update of an incident or a maintenance window.",
  mail: "Email to {email}",
  mailHint: "Only to you. Other members choose for themselves.",
  noMail: "This installation sends no email.",
  subscribed: "You will get an email for every update.",
  unsubscribed: "You will get no more emails about the status.",
  webhook: "Webhook URL",
  webhookHint: "One for the account. Updates are posted there, signed with your callback secret like version 3 callbacks.",
  needsSecret: "Create a callback secret under API access first. The webhook is signed with it.",
  webhookSaved: "The webhook URL was saved.",
  webhookRemoved: "The webhook was removed.",
  save: "Save",
});
