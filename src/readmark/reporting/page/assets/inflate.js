// The units of a test: base64, gzip and JSON, unpacked by the browser itself.

class CannotUnpack extends Error {}

async function unpack(block) {
  if (typeof DecompressionStream === "undefined") throw new CannotUnpack("browser.unsupported");
  try {
    const packed = Uint8Array.from(atob(block.textContent.trim()), (one) => one.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  } catch (error) {
    throw new CannotUnpack("browser.broken");
  }
}
