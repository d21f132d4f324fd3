import { billersOf, MODES_WITH_CARDS, MODES_WITHOUT_CASH, optionalParam, param } from "./make-biller.ts";

const mobile = (example: string) => param("mobile_number", "Registered mobile number", /^[6-9][0-9]{9}$/, example);

export const DUES = [
  ...billersOf("loan", [
    {
      billerId: "BAJAJFIN0NAT01",
      name: "Bajaj Finance",
      flow: "fetch",
      exactness: "any",
      params: [param("loan_account", "Loan account number", /^[A-Z0-9]{12,16}$/, "P4X0PPF012345")],
      takes: ["100", "500000"],
      flatFee: "10.00",
      paymentModes: MODES_WITHOUT_CASH,
    },
    {
      billerId: "MUTHOOT00NAT01",
      name: "Muthoot Finance",
      flow: "fetch",
      exactness: "exact_up",
      params: [param("loan_account", "Loan account number", /^[0-9]{12}$/, "100200012345"), mobile("9876543210")],
      takes: ["100", "500000"],
    },
  ]),
  ...billersOf("insurance", [
    {
      billerId: "LIC000000NAT01",
      name: "Life Insurance Corporation of India",
      flow: "fetch",
      exactness: "exact",
      params: [
        param("policy_number", "Policy number", /^[0-9]{9}$/, "810012345"),
        param("date_of_birth", "Date of birth", /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, "1984-05-17"),
      ],
      takes: ["1", "500000"],
      paymentModes: MODES_WITHOUT_CASH,
    },
    {
      billerId: "HDFCLIFE0NAT01",
      name: "HDFC Life Insurance",
      flow: "fetch",
      exactness: "exact",
      params: [
        param("policy_number", "Policy number", /^[0-9]{8}$/, "17012345"),
        optionalParam("email", "Email address", /^[^\s@<>"]{1,32}@[A-Za-z0-9.-]{3,31}$/, "asha@example.com"),
      ],
      takes: ["1", "500000"],
      basisPoints: 15n,
      paymentModes: MODES_WITH_CARDS,
    },
  ]),
  ...billersOf("education", [
    {
      billerId: "DPS000000DEL01",
      name: "Delhi Public School, Mathura Road",
      flow: "fetch",
      exactness: "exact",
      params: [
        optionalParam("class", "Class", /^(?:[1-9]|1[0-2])$/, "7"),
        param("student_id", "Student ID", /^[A-Z]{3}[0-9]{6}$/, "DPS012345"),
      ],
      takes: ["1", "500000"],
      flatFee: "15.00",
    },
    {
      billerId: "IGNOU0000NAT01",
      name: "IGNOU course fee",
      flow: "validate",
      exactness: "any",
      params: [param("enrolment_number", "Enrolment number", /^[0-9]{9,10}$/, "2400012345")],
      takes: ["200", "200000"],
      paymentModes: MODES_WITH_CARDS,
    },
  ]),
  ...billersOf("credit_card", [
    {
      billerId: "AXISCARD0NAT01",
      name: "Axis Bank Credit Card",
      flow: "direct",
      exactness: "any",
      params: [mobile("9876512345"), param("card_last_four", "Last four digits of the card", /^[0-9]{4}$/, "4321")],
      takes: ["1", "500000"],
      basisPoints: 40n,
      paymentModes: MODES_WITHOUT_CASH,
    },
    {
      // The biller whose bills have their own range, from the minimum due to the amount due.
      billerId: "SBICARD00NAT01",
      name: "SBI Card",
      flow: "fetch",
      exactness: "range",
      params: [mobile("9876012345"), param("card_last_four", "Last four digits of the card", /^[0-9]{4}$/, "1234")],
      takes: ["1", "500000"],
      paymentModes: MODES_WITHOUT_CASH,
    },
  ]),
];
