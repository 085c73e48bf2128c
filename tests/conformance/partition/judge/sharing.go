package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/NVIDIA/go-nvlib/pkg/nvlib/device"
	"github.com/NVIDIA/go-nvlib/pkg/nvlib/info"
	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock/dgxa100"
	spec "github.com/NVIDIA/k8s-device-plugin/api/config/v1"
	"github.com/NVIDIA/k8s-device-plugin/cmd/mps-control-daemon/mps"
	"github.com/NVIDIA/k8s-device-plugin/internal/rm"
	"github.com/urfave/cli/v2"
	"sigs.k8s.io/yaml"
)

func judgeSharing(v *verdict, text []byte) {
	of := configurations(v, text)
	if len(v.refused) > 0 {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if key != "" {
			nameable(v, key)
		}
		judgeShared(v, key, of[key])
	}
	v.accept("%d configurations accepted", len(of))
}

// One configuration as the plugin takes it when it starts (startPlugins of its main.go, up to the devices; then the daemon of
// MPS), on NVIDIA's fake of a DGX A100, and strictly as the plugin's own type. What the plugin would pass over in silence or
// with a warning is refused as well: those rules are gpol's own and stand in `ignored` and below, at `names`.
func judgeShared(v *verdict, key, text string) {
	where := prefix(key)
	given, err := load(text)
	if err == nil {
		err = yaml.UnmarshalStrict([]byte(text), &spec.Config{})
	}
	if err != nil {
		v.refuse("%s%v", where, err)
		return
	}
	config, _ := load(text)
	spec.DisableResourceNamingInConfig(config)
	if why := ignored(text, given, config); len(why) > 0 {
		for _, why := range why {
			v.refuse("%s%s", where, why)
		}
		return
	}
	infolib, server := machine()
	if err := validateFlags(infolib, config); err != nil {
		v.refuse("%sunable to validate flags: %v", where, err)
		return
	}

	strategy := *config.Flags.MigStrategy
	shared := config.Sharing.ReplicatedResources()
	var profiles []device.MigProfileInfo
	for _, resource := range shared.Resources {
		if profile, is := profileOfResource(resource.Name); is {
			profiles = append(profiles, profile)
		}
	}
	gpus, migs := offered(strategy, profiles...)
	names := append(gpus, migs...)
	devicelib := device.New(server, device.WithVerifySymbols(false))
	if err := rm.AddDefaultResourcesToConfig(infolib, server, devicelib, config); err != nil {
		v.refuse("%sunable to add default resources to config: %v", where, err)
		return
	}
	devices, err := rm.NewDeviceMap(infolib, devicelib, config)
	if err != nil {
		v.refuse("%serror building device map: %v", where, err)
		return
	}
	if _, err := mps.NewDaemons(infolib, server, devicelib, mps.WithConfig(config)); err != nil {
		v.refuse("%s%v", where, err)
	}

	v.accept("%ssharing=%s migStrategy=%s", where, config.Sharing.SharingStrategy(), strategy)
	for _, resource := range shared.Resources {
		if !slices.Contains(names, resource.Name) {
			v.refuse("%s%s: with migStrategy %s the plugin offers no such resource, and shares nothing", where, resource.Name, strategy)
			continue
		}
		asked := resource.Name
		if resource.Rename != "" {
			asked = resource.Rename
		}
		line := fmt.Sprintf("%s%s replicas=%d failRequestsGreaterThanOne=%t asked=%s", where, resource.Name, resource.Replicas,
			shared.FailRequestsGreaterThanOne, asked)
		if resource.Name == "nvidia.com/gpu" { // the fake has no MIG devices
			count := len(server.Devices) * resource.Replicas
			if len(devices[asked]) != count {
				v.refuse("%s%s: %d devices where %d are expected", where, asked, len(devices[asked]), count)
			}
			line += fmt.Sprintf(" devices=%d of %d", len(devices[asked]), len(server.Devices))
		}
		v.accept("%s", line)
	}
}

// What the plugin does not act on although it is written.
func ignored(text string, given, config *spec.Config) (why []string) {
	var raw struct {
		Sharing map[string]map[string]json.RawMessage `json:"sharing"`
	}
	if err := yaml.Unmarshal([]byte(text), &raw); err != nil {
		return []string{err.Error()}
	}
	// The plugin's types read these two levels by hand and leave what they do not know.
	for _, kind := range slices.Sorted(maps.Keys(raw.Sharing)) {
		for _, field := range slices.Sorted(maps.Keys(raw.Sharing[kind])) {
			if !slices.Contains(fields[spec.ReplicatedResources](), field) {
				why = append(why, fmt.Sprintf("sharing.%s: unknown field %q, which the plugin ignores", kind, field))
			}
		}
		var resources []map[string]json.RawMessage
		if err := json.Unmarshal(raw.Sharing[kind]["resources"], &resources); err != nil {
			continue // an error of the plugin's own
		}
		for i, resource := range resources {
			for _, field := range slices.Sorted(maps.Keys(resource)) {
				if !slices.Contains(fields[spec.ReplicatedResource](), field) {
					why = append(why, fmt.Sprintf("sharing.%s.resources[%d]: unknown field %q, which the plugin ignores", kind, i, field))
				}
			}
		}
	}
	if given.Sharing.MPS != nil && len(given.Sharing.TimeSlicing.Resources) > 0 {
		why = append(why, fmt.Sprintf("sharing: timeSlicing and mps together, of which the plugin takes %s alone", given.Sharing.SharingStrategy()))
	}
	if string(raw.Sharing["mps"]["failRequestsGreaterThanOne"]) == "false" && config.Sharing.MPS.FailRequestsGreaterThanOne {
		why = append(why, "sharing.mps: failRequestsGreaterThanOne is false, which the plugin takes for true")
	}
	if !reflect.DeepEqual(given.Resources, config.Resources) {
		why = append(why, "resources: the plugin ignores it")
	}
	for kind, pair := range map[string][2]*spec.ReplicatedResources{
		"timeSlicing": {&given.Sharing.TimeSlicing, &config.Sharing.TimeSlicing},
		"mps":         {given.Sharing.MPS, config.Sharing.MPS},
	} {
		if pair[0] == nil {
			continue
		}
		seen := map[spec.ResourceName]bool{}
		for i, resource := range pair[0].Resources {
			if seen[resource.Name] {
				why = append(why, fmt.Sprintf("sharing.%s.resources[%d]: %s is there twice", kind, i, resource.Name))
			}
			seen[resource.Name] = true
			if resource.Rename != pair[1].Resources[i].Rename {
				why = append(why, fmt.Sprintf("sharing.%s.resources[%d]: the plugin ignores rename: %s", kind, i, resource.Rename))
			}
			if !reflect.DeepEqual(resource.Devices, pair[1].Resources[i].Devices) {
				why = append(why, fmt.Sprintf("sharing.%s.resources[%d]: the plugin ignores devices", kind, i))
			}
		}
	}
	slices.Sort(why)
	return why
}

// The names of a type's fields in JSON.
func fields[T any]() (names []string) {
	of := reflect.TypeFor[T]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// The plugin's own loadConfig with its own flags and their defaults: its main prints its help, and gives the flags away.
// --mps-root is set where the plugin is deployed (MPS_ROOT of its DaemonSet), not in the configuration.
func load(text string) (config *spec.Config, err error) {
	file := asFile(text)
	defer os.Remove(file)
	var app *cli.App
	cli.HelpPrinter = func(_ io.Writer, _ string, of any) { app = of.(*cli.App) }
	os.Args = []string{"nvidia-device-plugin", "--help"}
	main()
	app.Action = func(c *cli.Context) error {
		config, err = loadConfig(c, app.Flags)
		return err
	}
	if err := app.Run([]string{"nvidia-device-plugin", "--config-file", file, "--mps-root", "/run/nvidia/mps"}); err != nil {
		return nil, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), file, "FILE"))
	}
	return config, nil
}

// A machine with NVML and eight A100 that are not cut up.
func machine() (info.Interface, *dgxa100.Server) {
	server := dgxa100.New()
	for _, card := range server.Devices {
		card.(*dgxa100.Device).GetMaxMigDeviceCountFunc = func() (int, nvml.Return) { return 0, nvml.SUCCESS }
	}
	no := func() (bool, string) { return false, "" }
	return info.New(info.WithNvmlLib(server), info.WithPlatform(info.PlatformNVML), info.WithPropertyExtractor(&info.PropertyExtractorMock{
		HasNvmlFunc:            func() (bool, string) { return true, "" },
		HasDXCoreFunc:          no,
		HasTegraFilesFunc:      no,
		HasAnIntegratedGPUFunc: no,
	})), server
}

// A machine whose cards know these profiles.
type cards struct {
	device.Interface
	profiles []device.MigProfileInfo
}

func (c cards) VisitMigProfiles(visit func(device.MigProfile) error) error {
	for _, profile := range c.profiles {
		if err := visit(profile); err != nil {
			return err
		}
	}
	return nil
}

// The resources that the plugin offers on a machine whose cards know these profiles.
func offered(strategy string, profiles ...device.MigProfileInfo) (gpus, migs []spec.ResourceName) {
	infolib, server := machine()
	fail := true
	config := &spec.Config{Flags: spec.Flags{CommandLineFlags: spec.CommandLineFlags{MigStrategy: &strategy, FailOnInitError: &fail}}}
	if err := rm.AddDefaultResourcesToConfig(infolib, server, cards{profiles: profiles}, config); err != nil {
		return nil, nil
	}
	for _, resource := range config.Resources.GPUs {
		gpus = append(gpus, resource.Name)
	}
	for _, resource := range config.Resources.MIGs {
		migs = append(migs, resource.Name)
	}
	return gpus, migs
}

var profilePattern = regexp.MustCompile(`^(?:([0-9]+)c\.)?([0-9]+)g\.([0-9]+)gb(?:([+-])(.+))?$`)

// A profile by the name that the driver gives it: read here, since NVIDIA's code looks it up on a card; and then compared by
// NVIDIA's code.
func profileNamed(name string) (device.MigProfileInfo, bool) {
	parts := profilePattern.FindStringSubmatch(name)
	if parts == nil {
		return device.MigProfileInfo{}, false
	}
	number := func(text string) int {
		of, _ := strconv.Atoi(text)
		return of
	}
	of := device.MigProfileInfo{C: number(parts[1]), G: number(parts[2]), GB: number(parts[3])}
	if parts[1] == "" {
		of.C = of.G
	}
	switch parts[4] {
	case "+":
		of.Attributes = strings.Split(parts[5], ",")
	case "-":
		of.NegAttributes = strings.Split(parts[5], ",")
	}
	return of, of.Matches(name)
}

// nvidia.com/mig-1g.10gb.me: the profile 1g.10gb+me.
func profileOfResource(name spec.ResourceName) (device.MigProfileInfo, bool) {
	_, rest := name.Split()
	profile, is := strings.CutPrefix(rest, "mig-")
	if !is {
		return device.MigProfileInfo{}, false
	}
	if size, attribute, more := strings.Cut(profile, "gb."); more {
		profile = size + "gb+" + attribute
	}
	return profileNamed(profile)
}
