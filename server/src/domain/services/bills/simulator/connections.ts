import { billersOf, MODES_WITH_CARDS, MODES_WITHOUT_CASH, optionalParam, param } from "./make-biller.ts";

export const CONNECTIONS = [
  ...billersOf("broadband", [
    {
      billerId: "ACT000000NAT01",
      name: "ACT Fibernet",
      flow: "fetch",
      exactness: "exact",
      params: [param("account_number", "Account number", /^[0-9]{8,12}$/, "101012345")],
      takes: ["1", "50000"],
    },
    {
      billerId: "HATHWAY00NAT01",
      name: "Hathway Broadband",
      flow: "fetch",
      exactness: "exact_up",
      params: [param("customer_id", "Customer ID", /^[0-9]{8,10}$/, "1100012345")],
      takes: ["1", "50000"],
    },
    {
      billerId: "SPECTRA00NAT01",
      name: "Spectra",
      flow: "validate",
      exactness: "any",
      params: [param("can_id", "CAN ID", /^[0-9]{6,10}$/, "9012345")],
      takes: ["100", "100000"],
      flatFee: "3.00",
    },
  ]),
  ...billersOf("landline", [
    {
      billerId: "BSNLLL000NAT01",
      name: "BSNL landline",
      flow: "fetch",
      exactness: "exact",
      params: [
        param("number_with_std", "Number with STD code", /^[1-9][0-9]{9}$/, "8022012345"),
        optionalParam("account_number", "Account number", /^[0-9]{10}$/, "9012345678"),
      ],
      takes: ["1", "50000"],
    },
    {
      billerId: "MTNLDEL00DEL01",
      name: "MTNL Delhi",
      flow: "fetch",
      exactness: "exact_down",
      params: [
        param("telephone_number", "Telephone number", /^[0-9]{8}$/, "23012345"),
        param("account_number", "Account number", /^[0-9]{10}$/, "2012345678"),
      ],
      takes: ["1", "50000"],
    },
  ]),
  ...billersOf("dth", [
    {
      billerId: "TATAPLAY0NAT01",
      name: "Tata Play",
      flow: "direct",
      exactness: "any",
      params: [param("subscriber_id", "Subscriber ID", /^[0-9]{10}$/, "1234512345")],
      takes: ["50", "10000"],
    },
    {
      billerId: "SUNDIRECTNAT01",
      name: "Sun Direct",
      flow: "direct",
      exactness: "range",
      params: [param("smart_card_number", "Smart card number", /^[0-9]{11}$/, "41234512345")],
      takes: ["100", "5000"],
      flatFee: "1.50",
    },
    {
      billerId: "VIDEOCON0NAT01",
      name: "Videocon d2h (closed)",
      flow: "direct",
      exactness: "any",
      params: [param("subscriber_id", "Subscriber ID", /^[0-9]{8,12}$/, "123412345")],
      takes: ["50", "10000"],
      active: false,
    },
  ]),
  ...billersOf("fastag", [
    {
      billerId: "HDFCFAST0NAT01",
      name: "HDFC Bank FASTag",
      flow: "validate",
      exactness: "range",
      params: [param("vehicle_number", "Vehicle registration number", /^[A-Z]{2}[0-9]{2}[A-Z]{1,3}[0-9]{4}$/, "KA01AB2345")],
      takes: ["100", "10000"],
      paymentModes: MODES_WITHOUT_CASH,
    },
    {
      billerId: "ICICIFASTNAT01",
      name: "ICICI Bank FASTag",
      flow: "direct",
      exactness: "any",
      params: [
        optionalParam("wallet_id", "Wallet ID", /^[0-9]{8}$/, "10012345"),
        param("vehicle_number", "Vehicle registration number", /^[A-Z]{2}[0-9]{2}[A-Z]{1,3}[0-9]{4}$/, "MH12CD2345"),
      ],
      takes: ["100", "10000"],
      basisPoints: 100n,
      paymentModes: MODES_WITH_CARDS,
    },
  ]),
];
