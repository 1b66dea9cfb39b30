// The pictures: photographs of Debian's mate-backgrounds, cut to size by ImageMagick, and drawings made here.
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const NATURE = "/usr/share/backgrounds/mate/nature"
// Sensor-like noise; the seed makes it the same each time.
const noise = (amount) => ["-seed", "7", "-attenuate", amount, "+noise", "Gaussian"]
const fill = (size) => ["-resize", `${size}^`, "-gravity", "center", "-extent", size]

const magick = (...args) => execFileSync("convert", args)

/** Writes the inputs into a folder and answers their names with what they stand for. */
export const makeInputs = (folder) => {
  const photo = (name, source, size, amount, ...how) => {
    magick(join(NATURE, source), ...fill(size), ...noise(amount), "-strip", ...how, join(folder, name))
    return name
  }
  const drawing = (name, size, ground, ...draw) => {
    magick("-size", size, `xc:${ground}`, ...draw, "-strip", join(folder, name))
    return name
  }
  const shapes = [
    "-fill",
    "#c33",
    "-draw",
    "circle 500,500 500,200",
    "-fill",
    "#269",
    "-draw",
    "roundrectangle 700,300 1500,900 60,60",
  ]
  const text = ["-fill", "#222", "-pointsize", "48", "-annotate", "+80+1100", "Nothing lost, nothing broken, quick."]
  const inputs = [
    {
      kind: "photo",
      file: photo("square.jpg", "Storm.jpg", "2048x2048", "0.35", "-quality", "90", "-sampling-factor", "4:2:0"),
    },
    {
      kind: "photo",
      file: photo("wide.jpg", "Garden.jpg", "2048x1365", "0.6", "-quality", "90", "-sampling-factor", "4:2:0"),
    },
    {
      kind: "photo",
      file: photo(
        "progressive.jpg",
        "LadyBird.jpg",
        "2048x2048",
        "0.35",
        "-quality",
        "90",
        "-sampling-factor",
        "4:4:4",
        "-interlace",
        "JPEG",
      ),
    },
    { kind: "photo", file: photo("photo.png", "Wood.jpg", "1280x853", "0.35") },
    { kind: "graphic", file: drawing("drawing.png", "1600x1200", "white", ...shapes, ...text) },
    { kind: "large graphic", file: drawing("large.png", "2048x2048", "white", ...shapes, ...text) },
    { kind: "large alpha", file: drawing("alpha.png", "2048x2048", "none", ...shapes, ...text) },
  ]
  execFileSync("cwebp", ["-quiet", "-q", "90", join(folder, "square.jpg"), "-o", join(folder, "source.webp")])
  return [...inputs, { kind: "photo", file: "source.webp" }]
}
