// Numbers as a reader sees them: with a minus sign that is one, and no zero below zero.
export const signed = (text) => String(text).replace("-", "\u2212");

export const fixed = (value, digits) => signed(Number(value.toFixed(digits)).toFixed(digits));

// "k", 0 -> "k₁"
export const numbered = (name, i) => name + String(i + 1).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

// How wide digits make a number; a point is half of one.
const width = (text) => text.length - (text.includes(".") ? 0.5 : 0);

// The numbers of one table in so much room each: whole ones as such, others with as many of these decimals as fit.
export function fitted(values, digits, room) {
  const most = values.every((value) => Number.isInteger(Number(value.toFixed(digits)))) ? 0 : digits;
  return Array.from(values, (value) => {
    let places = most;
    while (places && width(fixed(value, places)) > room) places--;
    return fixed(value, places);
  });
}

const raised = (exponent) => String(exponent).replace(/[-\d]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);

export const powerOfTen = (exponent) => `10${raised(exponent)}`;

// Numbers of any size, with three digits that count.
export function significant(value) {
  const size = Math.abs(value);
  if (!size || (size >= 1e-3 && size < 1e5)) return signed(Number(value.toPrecision(3)));
  const [digits, exponent] = value.toExponential(2).split("e");
  return `${signed(digits)} · ${powerOfTen(Number(exponent))}`;
}
