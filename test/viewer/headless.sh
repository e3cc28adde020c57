# Pictures and films without a screen: of a scene that is simulated, and of a run.
. "$(dirname "$0")/prepare.sh"
unset DISPLAY WAYLAND_DISPLAY
small=(--size 200x112 --threads 1)

expect 0 view "$tiny" --out a.png "${small[@]}"
silent
is_there a.png
expect 0 view "$tiny" --out same.png "${small[@]}"
cmp -s a.png same.png || fail "the same command gives another picture"
expect 0 view "$tiny" --out later.png --time 0.05 "${small[@]}"
is "$(apart a.png later.png) > 0.5" "snow that flies is elsewhere later"
expect 0 view "$tiny" --out coloured.png --colour-by velocity "${small[@]}"
is "$(apart a.png coloured.png) > 0.5" "colours"
expect 0 view "$tiny" --out spheres.png --style spheres "${small[@]}"
is "$(apart a.png spheres.png) > 0.2" "a surface is not spheres"
expect 0 view "$tiny" --out figures.png --overlay "${small[@]}"
is "$(apart a.png figures.png 0 0 60 30) > 5" "figures in the corner"
is "$(apart a.png figures.png 120 20 60 60) == 0" "and nowhere else"

# Of a run: the frames that it has, and bodies where they were.
expect 0 run "$tiny" -o run -q --threads 1 --set output.preview=false --set output.film=false
expect 0 view run --out f0.png --frame 0 "${small[@]}"
is "$(apart a.png f0.png) < 1" "frame 0 is the scene's start"
expect 0 view run --out f4.png --frame 4 "${small[@]}"
is "$(apart f0.png f4.png) > 0.5" "frame 4 is later"
expect 0 view run --out t4.png --time 0.0667 "${small[@]}"
cmp -s f4.png t4.png || fail "frame 4 is at 4/60 s"
expect 3 view run --out no.png --frame 5 "${small[@]}"
says "frame 5 is not in the run 'run'"
absent no.png
expect 2 view run --out no.png --set mpm.cell=1
says "apply to scenes only"

# A film that can be played: as many pictures as it must have, of that size.
expect 0 view "$tiny" --record film.mp4 --seconds 0.5 --size 160x90 --threads 1
probe=$(ffprobe -v error -count_frames \
    -show_entries stream=codec_type,width,height,nb_read_frames,r_frame_rate \
    -of csv=p=0 film.mp4)
same "$probe" "video,160,90,30/1,15" "ffprobe film.mp4"
expect 0 view run --record run.mp4 --size 160x90
same "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 run.mp4)" 3 \
    "pictures of 5 frames at 60 a second, in a film of 30"

# Refusals.
expect 4 view "$tiny" --out nowhere/x.png "${small[@]}"
says "nowhere/x.png"
expect 7 view "$tiny"
says "cannot open a window (DISPLAY is not set): \
use --out picture.png for a picture without a window"
expect 3 view no-such-scene --out x.png
says "no-such-scene"
expect 2 view "$tiny" --out x.png --colour-by velocty
says "there is no field 'velocty' (available: "
expect 2 view "$tiny" --out x.jpg
says "does not end in .png"
expect 2 view "$tiny" --out x.png --size 20
says "is not a size such as 1280x720"
expect 2 view "$tiny" --out x.png --style surfaec
says "(did you mean 'surface'?)"
expect 2 view "$tiny" --time 1
says "require --out"
expect 2 view "$tiny" --seconds 1
says "requires --record"
printf 'key p\nprss left 1 2\n' >bad.txt
expect 3 view "$tiny" --script bad.txt --headless
says "bad.txt:2: 'prss left 1 2': expected key, press"
mkfifo pipe.txt
stage="a pipe as a script"
timeout 20 "$FIRN" view "$tiny" --script pipe.txt --headless >out.txt 2>err.txt
same $? 3 "$stage: exit code"
says "it is not a regular file"
absent x.png
exit 0
