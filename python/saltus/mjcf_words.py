"""Words of MJCF: which are read, which have no part in the motion, and which would change it and are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saltus import geometry as g
from saltus.xml_places import Element

if TYPE_CHECKING:
    from saltus.mjcf_source import MjcfSource

POSE = "pos quat euler axisangle xyaxes zaxis"
SOFT = "solref solimp solreflimit solimplimit solreffriction solimpfriction margin gap solmix torquescale"  # of MuJoCo's soft constraints
LOOK = "rgba material group user name class"
COMMON = "name class user group ctrllimited ctrlrange forcelimited forcerange gear joint jointinparent tendon site refsite body cranksite slidersite cranklength lengthrange armature damping delay nsample interp"
KNOWN = {
    "compiler": "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough savecanonical "
    "savecompiled saveinertial settotalmass strippath texturedir usethread exactmeshinertia convexhull",
    "body": f"{POSE} name childclass mocap gravcomp user fuse simple sleep",
    "worldbody": "childclass name pos quat",
    "frame": f"{POSE} name childclass",
    "replicate": "count offset euler sep childclass",
    "inertial": f"{POSE} mass diaginertia fullinertia",
    "joint": f"{SOFT} {LOOK} type pos axis range limited stiffness damping springref springdamper springyield armature frictionloss ref actuatorfrcrange actuatorfrclimited actuatorgravcomp",
    "freejoint": "name group align",
    "geom": f"{POSE} {SOFT} {LOOK} type size fromto mesh hfield mass density shellinertia contype conaffinity condim friction priority fitscale fluidshape fluidcoef castshadow adhesion surfacevel",
    "site": f"{POSE} {LOOK} type size fromto mesh",
    "mesh": "name class file vertex face normal texcoord scale refpos refquat inertia smoothnormal maxhullvert content_type builtin params material octree_maxdepth",
    "hfield": "name file nrow ncol size elevation content_type",
    "connect": f"{SOFT} name class active anchor body1 body2 site1 site2",
    "weld": f"{SOFT} name class active anchor relpose body1 body2 site1 site2",
    "fixed": f"{SOFT} {LOOK} range limited stiffness damping springlength springyield armature frictionloss actuatorfrcrange actuatorfrclimited",
    "spatial": f"{SOFT} {LOOK} width range limited stiffness damping springlength springyield armature frictionloss actuatorfrcrange actuatorfrclimited",
    "motor": COMMON,
    "position": f"{COMMON} kp kv dampratio timeconst inheritrange",
    "velocity": f"{COMMON} kv",
    "intvelocity": f"{COMMON} kp kv dampratio inheritrange actrange actlimited",
    "damper": f"{COMMON} kv",
    "general": f"{COMMON} actdim actearly actlimited actrange biasprm biastype dynprm dyntype ffrange gainprm gaintype inheritrange input velrange",
    "exclude": "name body1 body2",
    "pair": f"{SOFT} name class geom1 geom2 condim friction adhesion",
    "option": "timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction iterations ls_iterations "
    "noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints actuatorgroupdisable integrator cone jacobian solver",
    "flag": "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent actuation refsafe sensor sensornoise midphase nativeccd eulerdamp autoreset island override energy fwdinv invdiscrete "
    "multiccd sleep diagexact",
    "equality/joint": f"{SOFT} name class active joint1 joint2 polycoef",
    "equality/tendon": f"{SOFT} name class active tendon1 tendon2 polycoef",
    "fixed/joint": "joint coef",
    "spatial/site": "site",
    "spatial/geom": "geom sidesite",
    "spatial/pulley": "divisor",
    "key": "name time qpos qvel act ctrl mpos mquat",
}
ROOT = "compiler option size visual statistic default custom extension asset worldbody deformable contact tendon equality actuator sensor keyframe"
IN_BODY = ("body", "joint", "freejoint", "geom", "site", "inertial", "camera", "light", "frame", "replicate")
CHILDREN = {  # that sections and tendons may hold
    "asset": ("mesh", "hfield", "material", "texture", "skin", "model"),
    "tendon": ("fixed", "spatial"),
    "contact": ("pair", "exclude"),
    "keyframe": ("key",),
    "fixed": ("joint",),
    "spatial": ("site", "geom", "pulley"),
}
DEFAULTS = {  # what classes may hold, with the elements whose attributes it takes
    **{tag: (tag,) for tag in ("mesh", "material", "joint", "geom", "site", "camera", "light", "pair", "motor", "position", "velocity", "intvelocity", "damper", "general", "cylinder", "muscle", "adhesion", "dcmotor", "plugin")},
    "equality": ("connect", "weld", "equality/joint", "equality/tendon"),
    "tendon": ("fixed", "spatial"),
}
REFUSED = {"composite": "is made by MuJoCo, which is not read", "flexcomp": "is a flexible body, which is not read", "attach": "attaches another model, which is not read", "plugin": "is a plugin, and plugins are not loaded"}


def check_words(source: MjcfSource) -> None:
    """Mistakes for words that are not known, and for elements that are not read and would change the motion; notes for what is left out."""
    for part in source.root.children:
        if part.tag not in ROOT.split():
            source.fault(part, f"<{part.tag}>", "is not known", g.near(part.tag, ROOT.split()))
        elif part.tag == "worldbody":
            _body(source, part)
        elif part.tag == "extension":
            for plugin in part.all("plugin"):
                source.fault(plugin, "extension/plugin", f"names {g.short(plugin.attributes.get('plugin', ''))}: it is not found, for plugins are not loaded", "leave it out with what uses it")
        elif part.tag == "deformable":
            for flex in part.all("flex"):
                source.fault(flex, "deformable/flex", "is a flexible body, which is not read")
        elif part.tag == "asset":
            for child in part.children:
                if child.tag == "model":
                    source.fault(child, "asset/model", "is another model, which is not read", "use include")
                elif child.tag == "texture":
                    source.note(child, "<texture>", "is not taken", kind="texture")
                else:
                    _known_tag(source, child, "asset")
                    _attributes(source, child)
        elif part.tag == "default":
            _defaults(source, part)
        elif part.tag in ("tendon", "equality", "actuator", "contact", "keyframe"):
            for child in part.children:
                _known_tag(source, child, part.tag)
                _attributes(source, child, "equality/" if part.tag == "equality" and child.tag in ("joint", "tendon") else "")
                for inner in child.children if part.tag == "tendon" else ():
                    _known_tag(source, inner, child.tag)
                    _attributes(source, inner, f"{child.tag}/")
    _attributes(source, source.compiler)
    _options(source)


def _body(source: MjcfSource, body: Element) -> None:
    _attributes(source, body)
    for child in body.children:
        if child.tag in REFUSED:
            source.fault(child, f"<{child.tag}>", REFUSED[child.tag])
        elif child.tag in ("camera", "light"):
            source.note(child, f"<{child.tag}>", "is not taken", kind=child.tag)
        elif child.tag not in IN_BODY:
            source.fault(child, f"<{child.tag}>", "is not known", g.near(child.tag, IN_BODY))
        elif child.tag in ("body", "frame", "replicate"):
            _body(source, child)
        else:
            _attributes(source, child)
            if child.first("plugin") is not None:
                source.fault(child, f"<{child.tag}>", REFUSED["plugin"])


def _defaults(source: MjcfSource, element: Element) -> None:
    for child in element.children:
        if child.tag == "default":
            _defaults(source, child)
        elif child.tag not in DEFAULTS:
            source.fault(child, f"default/<{child.tag}>", "is not known", g.near(child.tag, list(DEFAULTS)))
        else:
            known = [KNOWN.get(tag) for tag in DEFAULTS[child.tag]]
            if None not in known:
                _attributes(source, child, known=" ".join(filter(None, known)))


def _known_tag(source: MjcfSource, element: Element, inside: str) -> None:
    if inside in CHILDREN and element.tag not in CHILDREN[inside]:
        source.fault(element, f"{inside}/<{element.tag}>", "is not known", g.near(element.tag, CHILDREN[inside]))


def _attributes(source: MjcfSource, element: Element, inside: str = "", known: str | None = None) -> None:
    known = known or KNOWN.get(inside + element.tag)
    if known is None:
        return
    for word in element.attributes:
        if word not in known.split():
            source.fault(element, f"<{element.tag}>/{word}", "is not known", g.near(word, known.split()))
    for word in ("surfacevel", "adhesion", "delay"):
        if word in element.attributes and any(text.strip("0.+-") for text in element.attributes[word].split()):
            source.fault(element, f"<{element.tag}>/{word}", "is not read, and changes the motion", "leave it out for the motion without it")
    for word in ("solref", "solimp", "solreflimit", "solimplimit", "margin", "solreffriction", "solimpfriction"):
        if word in element.attributes:
            source.note(element, f"<{element.tag}>/{word}", "is of MuJoCo's soft constraints, and not taken: stops and contacts are hard here", kind="soft")
            break


def _options(source: MjcfSource) -> None:
    option = source.option
    for element in source.root.all("option"):
        _attributes(source, element)
        for flag in element.all("flag"):
            _attributes(source, flag)
            for word, said in flag.attributes.items():
                if said not in ("enable", "disable"):
                    source.fault(flag, f"<flag>/{word}", f"is {g.short(said)}", "write enable or disable")
    for word in ("density", "viscosity"):
        if source.number(option, word, "option", 0.0) > 0.0:
            source.fault(option, f"option/{word}", f"is {option.attributes[word]}: bodies would swim in a fluid, which is not read", "leave it out for the motion without it")
    if "timestep" in option.attributes:
        source.note(option, "option/timestep", f"is {option.attributes['timestep']} s, and not taken: steps follow the tolerance", f"m.simulate(step={option.attributes['timestep']}) takes it")
