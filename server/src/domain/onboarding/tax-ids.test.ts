import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTITY_TYPES, type EntityType, GST_STATES, gstinCheckDigit, gstinFault, panFault } from "./tax-ids.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const letter = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const text = (characters: fc.Arbitrary<string>, length: number) =>
  fc.array(characters, { minLength: length, maxLength: length }).map((parts) => parts.join(""));
const entity = fc.constantFrom(...(Object.keys(ENTITY_TYPES) as EntityType[]));
const holder = entity.chain((type) =>
  fc
    .tuple(text(letter, 3), letter, text(fc.constantFrom(..."0123456789"), 4), letter)
    .map(([start, name, number, end]) => ({ type, pan: `${start}${ENTITY_TYPES[type]}${name}${number}${end}` })),
);
const registered = fc
  .tuple(fc.constantFrom(...Object.keys(GST_STATES)), holder, fc.constantFrom(...DIGITS.slice(1)))
  .map(([state, { pan }, number]) => ({ pan, first: `${state}${pan}${number}Z` }));

test("GSTINs that the tax department issued are accepted for their PAN", () => {
  for (const gstin of ["27AAPFU0939F1ZV", "29AAGCB7383J1Z4", "24AAACC1206D1ZM"]) expect(gstinFault(gstin, gstin.slice(2, 12))).toBeNull();
});

test("a PAN of the right form is accepted for its own kind of holder only", () => {
  fc.assert(
    fc.property(holder, entity, ({ type, pan }, other) => {
      expect(panFault(pan, type)).toBeNull();
      if (other !== type) expect(panFault(pan, other)).toContain("This PAN belongs to");
    }),
  );
});

test("any other text is not a PAN", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), entity, (any, type) => {
      fc.pre(!/^[A-Z]{5}[0-9]{4}[A-Z]$/.test(any));
      expect(panFault(any, type)).not.toBeNull();
    }),
  );
  expect(panFault("AAPXU0939F", "company")).toContain("fourth letter");
  expect(panFault("aapfu0939f", "partnership")).not.toBeNull();
});

test("a GSTIN with its check digit is accepted for its PAN, and for no other", () => {
  fc.assert(
    fc.property(registered, holder, ({ pan, first }, other) => {
      const gstin = first + gstinCheckDigit(first);
      expect(gstinFault(gstin, pan)).toBeNull();
      if (other.pan !== pan) expect(gstinFault(gstin, other.pan)).toContain(pan);
    }),
  );
});

test("one wrong character anywhere in a GSTIN is found", () => {
  fc.assert(
    fc.property(registered, fc.nat(14), fc.constantFrom(...DIGITS), ({ pan, first }, place, wrong) => {
      const gstin = first + gstinCheckDigit(first);
      fc.pre(gstin.charAt(place) !== wrong);
      expect(gstinFault(gstin.slice(0, place) + wrong + gstin.slice(place + 1), pan)).not.toBeNull();
    }),
  );
});

test("two exchanged neighbours in a GSTIN are found by form, check digit or PAN", () => {
  fc.assert(
    fc.property(registered, fc.nat(13), ({ pan, first }, place) => {
      const gstin = first + gstinCheckDigit(first);
      const [left, right] = [gstin.charAt(place), gstin.charAt(place + 1)];
      fc.pre(left !== right);
      expect(gstinFault(gstin.slice(0, place) + right + left + gstin.slice(place + 2), pan)).not.toBeNull();
    }),
  );
});
