package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"volcano.sh/volcano/pkg/scheduler"
	"volcano.sh/volcano/pkg/scheduler/conf"
	"volcano.sh/volcano/pkg/scheduler/framework"

	// Register themselves, as in cmd/scheduler/main.go.
	_ "volcano.sh/volcano/pkg/scheduler/actions"
	_ "volcano.sh/volcano/pkg/scheduler/plugins"
)

type schedulerConf struct {
	actions        []framework.Action
	tiers          []conf.Tier
	configurations []conf.Configuration
	metrics        map[string]string
}

// parseConf is what loadSchedulerConf (pkg/scheduler/scheduler.go) makes of the text of its file.
func parseConf(text string) (schedulerConf, error) {
	var c schedulerConf
	var err error
	c.actions, c.tiers, c.configurations, c.metrics, err = scheduler.UnmarshalSchedulerConf(strings.TrimSpace(text))
	return c, err
}

type confAnswer struct {
	Error          string              `json:"error"`
	Actions        []string            `json:"actions"`
	Tiers          [][]pluginAnswer    `json:"tiers"`
	Configurations []configurationJSON `json:"configurations"`
	Metrics        map[string]string   `json:"metrics"`
}

type pluginAnswer struct {
	Name string `json:"name"`
	// Of a plugin that is not, OpenSession only logs an error (pkg/scheduler/framework/framework.go).
	Registered bool            `json:"registered"`
	Flags      map[string]bool `json:"flags"` // after defaults, by their names in the file; nil ones are off, and left out
	Arguments  map[string]any  `json:"arguments"`
}

type configurationJSON struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

func readConf(args []string) error {
	if err := parse(flag.NewFlagSet("conf", flag.ContinueOnError), args); err != nil {
		return err
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	a := confAnswer{Actions: []string{}, Tiers: [][]pluginAnswer{}, Configurations: []configurationJSON{}, Metrics: map[string]string{}}
	c, err := parseConf(string(text))
	if err != nil {
		a.Error = err.Error()
	}
	for _, action := range c.actions {
		a.Actions = append(a.Actions, action.Name())
	}
	for _, tier := range c.tiers {
		plugins := []pluginAnswer{}
		for _, option := range tier.Plugins {
			_, registered := framework.GetPluginBuilder(option.Name)
			plugins = append(plugins, pluginAnswer{option.Name, registered, flagsOf(option), object(option.Arguments)})
		}
		a.Tiers = append(a.Tiers, plugins)
	}
	for _, configuration := range c.configurations {
		a.Configurations = append(a.Configurations, configurationJSON{configuration.Name, object(configuration.Arguments)})
	}
	if len(c.metrics) > 0 {
		a.Metrics = c.metrics
	}
	return newEncoder().Encode(a)
}

// flagsOf reads the struct's tags: their spelling is not uniform (pkg/scheduler/conf/scheduler_conf.go).
func flagsOf(option conf.PluginOption) map[string]bool {
	flags := map[string]bool{}
	value := reflect.ValueOf(option)
	for i := range value.NumField() {
		if flag, ok := value.Field(i).Interface().(*bool); ok && flag != nil {
			flags[value.Type().Field(i).Tag.Get("yaml")] = *flag
		}
	}
	return flags
}

// object is what yaml.v2 read, in the types that JSON has: its maps have keys of any type.
func object(arguments map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range arguments {
		out[key] = jsonValue(value)
	}
	return out
}

func jsonValue(value any) any {
	switch v := value.(type) {
	case map[any]any:
		out := map[string]any{}
		for key, inner := range v {
			out[fmt.Sprint(key)] = jsonValue(inner)
		}
		return out
	case map[string]any:
		return object(v)
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = jsonValue(inner)
		}
		return out
	}
	return value
}
