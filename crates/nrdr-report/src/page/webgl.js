// Draws points with WebGL2: one call for all, or two when some are selected and belong on top of the others.

/// Points are drawn in a fixed random order: no class lies on top of the others, and the first of them are a sample of all,
/// which is enough while they move.
const drawingOrder = lazily(() => {
  const order = Uint32Array.from({ length: shown }, (_, i) => i);
  let dice = 12345;
  for (let i = shown - 1; i > 0; i--) {
    dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
    const j = dice % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
});

/// Values of the points, so many each, in that order.
function inDrawingOrder(values, each = 1) {
  const order = drawingOrder();
  const ordered = new values.constructor(values.length);
  if (each === 1) {
    for (let k = 0; k < shown; k++) ordered[k] = values[order[k]];
    return ordered;
  }
  for (let k = 0; k < shown; k++) {
    for (let part = 0; part < each; part++) ordered[each * k + part] = values[each * order[k] + part];
  }
  return ordered;
}

const VERTEX = `#version 300 es
in float x, y, z, chosen;
in vec4 color;
uniform vec4 toX, toY, toDepth;
uniform vec2 extent;
uniform float diameter, opacity, only, solid;
uniform vec3 background;
out vec4 tint;
void main() {
  vec4 point = vec4(x, y, z, 1.0);
  vec2 pixel = vec2(dot(toX, point), dot(toY, point));
  float depth = clamp(dot(toDepth, point), -1.0, 1.0);
  bool hidden = isnan(pixel.x + pixel.y) || color.a == 0.0 || (only >= 0.0 && abs(chosen - only) > 0.5);
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4(2.0 * pixel.x / extent.x - 1.0, 1.0 - 2.0 * pixel.y / extent.y, depth, 1.0);
  gl_PointSize = diameter * (1.0 - 0.2 * solid * depth);
  tint = vec4(mix(color.rgb, background, solid * 0.25 * (depth + 1.0)), opacity);
}`;

// The edge of the disc fades over one pixel; in three dimensions its outer half is cut, since depth hides what is
// behind.
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint;
uniform float diameter, solid;
out vec4 result;
void main() {
  float cover = clamp((1.0 - length(2.0 * gl_PointCoord - 1.0)) * 0.5 * diameter, 0.0, 1.0);
  if (cover < 0.02 || (solid > 0.5 && cover < 0.5)) discard;
  float alpha = tint.a * cover;
  result = vec4(tint.rgb * alpha, alpha);
}`;

const UNIFORMS = ["toX", "toY", "toDepth", "extent", "diameter", "opacity", "only", "solid", "background"];

/// A renderer of points, or null where there is no WebGL2.
function webglRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true, premultipliedAlpha: true });
  if (!gl) return null;
  const at = {};
  const buffers = {};

  function shader(type, source) {
    const compiled = gl.createShader(type);
    gl.shaderSource(compiled, source);
    gl.compileShader(compiled);
    return compiled;
  }

  function setUp() {
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return false;
    gl.useProgram(program);
    for (const name of UNIFORMS) at[name] = gl.getUniformLocation(program, name);
    for (const name of ["x", "y", "z", "chosen", "color"]) {
      const place = gl.getAttribLocation(program, name);
      buffers[name] = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.enableVertexAttribArray(place);
      if (name === "color") gl.vertexAttribPointer(place, 4, gl.UNSIGNED_BYTE, true, 0, 0);
      else if (name === "chosen") gl.vertexAttribPointer(place, 1, gl.UNSIGNED_BYTE, false, 0, 0);
      else gl.vertexAttribPointer(place, 1, gl.FLOAT, false, 0, 0);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthFunc(gl.LEQUAL);
    return true;
  }
  if (!setUp()) return null;

  function upload(name, values) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  }

  function pass(count, only, opacity, writesDepth) {
    gl.uniform1f(at.only, only);
    gl.uniform1f(at.opacity, opacity);
    gl.depthMask(writesDepth);
    gl.drawArrays(gl.POINTS, 0, count);
  }

  const renderer = {
    kind: "webgl2",
    setPoints: (points) => ["x", "y", "z"].forEach((name, axis) => upload(name, inDrawingOrder(points[axis]))),
    setColors: (rgba) => upload("color", inDrawingOrder(rgba, 4)),
    setChosen: (flags) => upload("chosen", inDrawingOrder(flags)),
    draw(view, look) {
      const { left, top, right, bottom } = view.area;
      const { ratio } = look;
      const m = view.matrix;
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.disable(gl.SCISSOR_TEST);
      gl.depthMask(true);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(left * ratio, (view.height - bottom) * ratio, (right - left) * ratio, (bottom - top) * ratio);
      if (view.solid) gl.enable(gl.DEPTH_TEST);
      else gl.disable(gl.DEPTH_TEST);
      gl.uniform4f(at.toX, m[0], m[1], m[2], m[3]);
      gl.uniform4f(at.toY, m[4], m[5], m[6], m[7]);
      gl.uniform4f(at.toDepth, m[8], m[9], m[10], m[11]);
      gl.uniform2f(at.extent, view.width, view.height);
      gl.uniform1f(at.diameter, look.diameter * ratio);
      gl.uniform1f(at.solid, view.solid ? 1 : 0);
      gl.uniform3f(at.background, look.background[0] / 255, look.background[1] / 255, look.background[2] / 255);
      if (look.someChosen) {
        pass(look.count, 0, look.dimmed, false);
        pass(look.count, 1, Math.max(look.opacity, 0.9), true);
      } else pass(look.count, -1, look.opacity, true);
    },
    onRestored: null,
  };
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => setUp() && renderer.onRestored?.());
  return renderer;
}
