// A drive as a link: the recording, compressed, in the address after the `#`.

const BEGIN = "#drive=";
/** Longest link (characters): browsers, and most of what sends links, take it. */
export const MOST = 32_000;
/** Largest recording that a link may unpack to (bytes). */
const MOST_BYTES = 4e6;

function through(bytes, stream) {
  return new Blob([bytes]).stream().pipeThrough(stream);
}

function toText(bytes) {
  const letters = bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromText(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Whether this browser packs a drive, and unpacks one. */
export function canPack() {
  try {
    return Boolean(new CompressionStream("deflate-raw") && new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

/** The address that begins as `setup` says; with the recording of a drive and the hash of its end, that shows it first. */
export async function linkOf({ vehicle, world, start }, recording, hash) {
  const address = new URL(location.pathname, location.origin);
  address.search = new URLSearchParams({ vehicle, world, start });
  const packed = new Uint8Array(await new Response(through(recording, new CompressionStream("deflate-raw"))).arrayBuffer());
  const link = `${address}${BEGIN}${toText(packed)}.${hash}`;
  return { link: link.length <= MOST ? link : String(address), isWhole: link.length <= MOST, length: link.length };
}

/** The recording and the hash of its end in the part of an address after the `#`; null if there is none. */
export async function driveOf(fragment) {
  if (!fragment.startsWith(BEGIN)) return null;
  if (!canPack()) throw new Error("this browser cannot unpack it: Chrome can from 103 on, Firefox from 113 and Safari from 16.4");
  const [text, hash] = fragment.slice(BEGIN.length).split(".");
  if (MOST < text.length) throw new Error(`the drive of a link has at most ${MOST} characters, got ${text.length}`);
  const reader = through(fromText(text), new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (MOST_BYTES < size) throw new Error(`it unpacks to more than ${MOST_BYTES} bytes`);
    chunks.push(value);
  }
  return { recording: new Uint8Array(await new Blob(chunks).arrayBuffer()), hash };
}
