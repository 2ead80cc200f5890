// What the graphics card holds is given back when a part of the scene goes.

/** Gives back geometries, materials and textures of `root` and its parts, but for materials that are shared. */
export function discard(root) {
  root.traverse((object) => {
    object.geometry?.dispose();
    if (object.isInstancedMesh) object.dispose();
    // A part that is drawn plainly still has its fine material, whose end is that of the plain one.
    const material = object.userData.fine ?? object.material;
    if (!material || material.userData.isShared) return;
    material.map?.dispose();
    material.dispose();
  });
  root.removeFromParent();
}
