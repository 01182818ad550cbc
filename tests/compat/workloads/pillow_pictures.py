# Pillow: drawing, text, filters, and each common format written and read back.
# SPDX-License-Identifier: MIT
import io

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

picture = Image.new("RGB", (320, 200), "white")
draw = ImageDraw.Draw(picture)
draw.ellipse((20, 20, 180, 180), fill=(200, 30, 30), outline="black")
draw.rectangle((150, 60, 300, 140), outline="blue", width=5)
font = ImageFont.truetype("DejaVuSans.ttf", 24)
draw.text((160, 80), "Größe", font=font, fill="black")
assert draw.textlength("Größe", font=font) > 40

small = ImageOps.autocontrast(picture.convert("L")).resize((80, 50), Image.LANCZOS)
blurred = picture.filter(ImageFilter.GaussianBlur(3)).rotate(30, expand=True)
kept = []
for kind in ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"):
    buffer = io.BytesIO()
    picture.save(buffer, kind)
    again = Image.open(io.BytesIO(buffer.getvalue()))
    again.load()
    assert again.format == kind and again.size == picture.size
    kept.append(kind)
frames = [picture.rotate(angle) for angle in range(0, 360, 90)]
frames[0].save("turn.gif", save_all=True, append_images=frames[1:], duration=100)
assert Image.open("turn.gif").n_frames == 4
print("pillow", picture.getpixel((100, 100)), small.size, blurred.size, kept)
