//! Shapes of cars, in thousandths of their length, width and height: they fit any size.

use super::piece::Form::{Hull, Slab, View};
use super::piece::Paint::{Back, Body, Brake, Dark, Glass, Head, Load, Metal};
use super::piece::{Measure, Piece, Point, Shape, mid, pair, rod};

/// Floor, bumpers, plate and mirrors.
const FITTINGS: &[Piece] = &[
    mid(Dark, Slab([-470, 470], [40, 160]), [880; 2]),
    mid(Back, Slab([-508, -480], [280, 380]), [280; 2]),
    pair(Body, Slab([100, 125], [610, 700]), 1020, 90),
];

/// Lamps at the ends of a body.
const LAMPS: &[Piece] = &[
    pair(Head, Slab([455, 491], [390, 470]), 700, 200),
    mid(Dark, Slab([470, 503], [150, 280]), [620; 2]),
    pair(Brake, Slab([-502, -470], [450, 550]), 750, 180),
    pair(Back, Slab([-501, -470], [460, 530]), 500, 60),
];

const HATCH_BODY: &[Piece] = &[
    mid(
        Body,
        Hull(&[
            [-485, 80],
            [-500, 200],
            [-497, 420],
            [-480, 600],
            [-200, 620],
            [190, 600],
            [330, 570],
            [440, 515],
            [484, 440],
            [500, 260],
            [490, 80],
        ]),
        [1000, 950],
    ),
    mid(
        Glass,
        View(&[
            [-475, 580],
            [-425, 900],
            [-370, 970],
            [-200, 1000],
            [-20, 985],
            [35, 950],
            [215, 580],
        ]),
        [900, 720],
    ),
    mid(
        Body,
        View(&[
            [-435, 930],
            [-372, 985],
            [-200, 1015],
            [-20, 1000],
            [30, 965],
            [0, 955],
            [-200, 965],
            [-370, 935],
        ]),
        [765, 730],
    ),
    mid(Body, View(&[[175, 580], [0, 950], [30, 945], [205, 580]]), [915, 750]),
    mid(Body, View(&[[-120, 580], [-115, 980], [-85, 980], [-85, 580]]), [915, 740]),
    mid(Body, View(&[[-460, 580], [-415, 900], [-330, 950], [-350, 580]]), [915, 750]),
    mid(Brake, Slab([-436, -420], [900, 920]), [200; 2]),
];

pub(super) const HATCH: Shape =
    Shape { measure: Measure::Body, pieces: &[HATCH_BODY, FITTINGS, LAMPS] };

/// A hatch with a wing on its roof, lamps on its nose and flaps behind its wheels.
pub(super) const RALLY: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        HATCH_BODY,
        FITTINGS,
        LAMPS,
        &[
            mid(Body, Slab([-480, -385], [1060, 1090]), [800; 2]),
            pair(Body, Slab([-480, -385], [920, 1110]), 760, 30),
            pair(Head, Slab([430, 490], [430, 560]), 180, 100),
            pair(Head, Slab([430, 490], [430, 560]), 440, 100),
            mid(Load, Slab([-370, -50], [985, 1020]), [200; 2]),
            mid(Dark, Slab([-180, -100], [1000, 1070]), [180; 2]),
            pair(Load, Slab([180, 186], [50, 250]), 850, 140),
            pair(Load, Slab([-460, -454], [50, 250]), 850, 140),
        ],
    ],
};

/// Side of a low body, from the tail over the top to the nose.
const SPORTS_SIDE: &[Point] = &[
    [-485, 100],
    [-500, 300],
    [-492, 550],
    [-440, 660],
    [-200, 660],
    [130, 600],
    [300, 530],
    [440, 410],
    [490, 300],
    [500, 180],
    [485, 70],
];

const SPORTS_HULL: &[Piece] = &[mid(Body, Hull(SPORTS_SIDE), [1000, 930])];

const SPORTS_CABIN: &[Piece] = &[
    mid(
        Glass,
        View(&[[-420, 630], [-280, 860], [-160, 980], [-60, 1000], [10, 960], [170, 580]]),
        [890, 700],
    ),
    mid(
        Body,
        View(&[
            [-270, 890],
            [-160, 998],
            [-60, 1018],
            [10, 975],
            [-20, 960],
            [-80, 970],
            [-160, 950],
        ]),
        [760, 710],
    ),
    mid(Body, View(&[[120, 600], [-20, 950], [4, 950], [150, 600]]), [900, 740]),
    mid(Body, View(&[[-400, 630], [-270, 860], [-170, 950], [-200, 630]]), [900, 740]),
    pair(Head, Slab([440, 478], [310, 380]), 700, 200),
    mid(Dark, Slab([470, 504], [100, 220]), [600; 2]),
    pair(Brake, Slab([-503, -470], [440, 540]), 720, 200),
    pair(Back, Slab([-502, -470], [440, 520]), 450, 60),
];

pub(super) const SPORTS: Shape =
    Shape { measure: Measure::Body, pieces: &[SPORTS_HULL, SPORTS_CABIN, FITTINGS] };

/// A sports car with a lip on its tail.
pub(super) const DRIFT: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        SPORTS_HULL,
        SPORTS_CABIN,
        FITTINGS,
        &[
            mid(Dark, View(&[[-510, 790], [-510, 830], [-420, 780], [-420, 750]]), [850; 2]),
            pair(Dark, Slab([-480, -440], [600, 800]), 500, 20),
            mid(Load, Slab([200, 320], [500, 585]), [300; 2]),
        ],
    ],
};

/// A narrow hull between fenders that are higher than it.
const RACE_BODY: &[Piece] = &[
    mid(Body, View(SPORTS_SIDE), [660, 640]),
    pair(
        Body,
        Hull(&[
            [100, 80],
            [100, 500],
            [190, 700],
            [280, 770],
            [370, 700],
            [470, 420],
            [500, 200],
            [490, 80],
        ]),
        820,
        170,
    ),
    pair(
        Body,
        Hull(&[
            [-490, 100],
            [-500, 350],
            [-480, 620],
            [-380, 780],
            [-260, 780],
            [-100, 500],
            [-100, 100],
        ]),
        820,
        170,
    ),
    pair(Body, Slab([-110, 110], [80, 480]), 800, 150),
];

/// A race car with a wing, a splitter and a diffuser.
pub(super) const RACE: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        RACE_BODY,
        SPORTS_CABIN,
        FITTINGS,
        &[
            mid(Dark, View(&[[-530, 1060], [-530, 1120], [-420, 1060], [-420, 1030]]), [950; 2]),
            pair(Body, Slab([-540, -410], [920, 1160]), 960, 15),
            pair(Dark, Slab([-490, -460], [600, 1080]), 400, 20),
            mid(Dark, Slab([400, 530], [30, 70]), [980; 2]),
            pair(Dark, Slab([-520, -420], [40, 220]), 350, 20),
            pair(Dark, Slab([-520, -420], [40, 220]), 750, 20),
            mid(Load, Slab([200, 330], [500, 580]), [120; 2]),
            mid(Load, Slab([-150, -40], [990, 1024]), [140; 2]),
        ],
    ],
};

/// One box with a glass roof, bars of light and a closed nose.
pub(super) const ELECTRIC: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        &[
            mid(
                Body,
                Hull(&[
                    [-485, 80],
                    [-500, 200],
                    [-498, 450],
                    [-480, 640],
                    [-200, 640],
                    [240, 610],
                    [380, 570],
                    [460, 510],
                    [492, 420],
                    [500, 220],
                    [490, 80],
                ]),
                [1000, 940],
            ),
            mid(
                Glass,
                View(&[
                    [-475, 600],
                    [-430, 850],
                    [-360, 960],
                    [-150, 1000],
                    [20, 980],
                    [120, 900],
                    [350, 580],
                ]),
                [900, 700],
            ),
            mid(Body, View(&[[310, 580], [100, 900], [125, 900], [340, 580]]), [910, 755]),
            mid(Body, View(&[[-50, 600], [-45, 980], [-20, 980], [-20, 600]]), [910, 715]),
            mid(Body, View(&[[-460, 600], [-420, 850], [-340, 960], [-340, 600]]), [910, 735]),
            mid(Head, Slab([460, 490], [460, 490]), [840; 2]),
            mid(Brake, Slab([-503, -470], [520, 555]), [860; 2]),
            mid(Dark, Slab([470, 503], [100, 200]), [750; 2]),
            mid(Load, Slab([-180, 180], [100, 150]), [1005; 2]),
        ],
        FITTINGS,
    ],
};

/// A cab before an open bed.
pub(super) const PICK_UP: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        &[
            mid(
                Body,
                Hull(&[
                    [-495, 140],
                    [-500, 300],
                    [-500, 380],
                    [-150, 380],
                    [-150, 570],
                    [-130, 580],
                    [210, 580],
                    [440, 540],
                    [490, 470],
                    [500, 250],
                    [490, 140],
                ]),
                [1000, 970],
            ),
            // The bed.
            pair(Body, Slab([-500, -140], [360, 600]), 940, 40),
            mid(Body, Slab([-503, -488], [300, 600]), [960; 2]),
            mid(Load, Slab([-490, -150], [370, 400]), [900; 2]),
            mid(
                Glass,
                View(&[[-135, 550], [-115, 930], [-80, 1000], [50, 995], [85, 960], [220, 560]]),
                [900, 750],
            ),
            mid(
                Body,
                View(&[[-120, 950], [-80, 1015], [50, 1010], [80, 970], [40, 965], [-80, 965]]),
                [780, 760],
            ),
            mid(Body, View(&[[180, 570], [55, 960], [80, 950], [210, 570]]), [910, 770]),
            mid(Body, View(&[[10, 560], [10, 980], [35, 980], [40, 560]]), [910, 760]),
            mid(Body, View(&[[-137, 560], [-113, 950], [-70, 960], [-85, 560]]), [910, 770]),
            pair(Head, Slab([455, 492], [400, 500]), 760, 160),
            mid(Dark, Slab([470, 502], [300, 460]), [550; 2]),
            mid(Metal, Slab([470, 512], [130, 240]), [960; 2]),
            mid(Metal, Slab([-520, -480], [130, 240]), [900; 2]),
            pair(Brake, Slab([-506, -480], [380, 560]), 930, 55),
            pair(Back, Slab([-506, -480], [330, 370]), 930, 55),
        ],
        FITTINGS,
    ],
};

/// A race car of a tenth of the size, with a wing, a bumper and an antenna.
pub(super) const REMOTE: Shape = Shape {
    measure: Measure::Body,
    pieces: &[
        SPORTS_HULL,
        SPORTS_CABIN,
        &[
            mid(Dark, Slab([-500, 530], [20, 100]), [900; 2]),
            mid(Load, View(&[[-540, 900], [-540, 980], [-400, 900], [-400, 850]]), [900; 2]),
            pair(Load, Slab([-550, -390], [780, 1020]), 900, 20),
            pair(Dark, Slab([-480, -450], [600, 900]), 400, 30),
            mid(Load, Slab([160, 360], [460, 575]), [300; 2]),
            mid(Load, Slab([-160, -40], [990, 1024]), [300; 2]),
            rod(Dark, [400, 600, -250], [400, 2600, -340], 6),
        ],
    ],
};
